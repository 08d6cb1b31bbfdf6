"""`%cd` into a folder of Colab's drive says that there is none, and what follows runs where it was.

shows: No such file or directory: '/content/drive/MyDrive/lab'
"""

# %% before given
%cd /content/drive/MyDrive/lab
