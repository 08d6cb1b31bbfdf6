"""A notebook that knows where it runs.

seen: anopheles-genomic-surveillance/anopheles-genomic-surveillance.github.io#314, kangwonlee/nmisp#136
"""

# %% before given
try:
    from google.colab import drive
    drive.mount("/content/drive")
except ImportError:
    pass
if "google.colab" in str(get_ipython()):
    %cd /content/drive/MyDrive
