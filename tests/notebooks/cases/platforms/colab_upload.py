"""The data file comes from Colab's upload dialog.

score: q2=0
sees: google.colab exists only in Colab: take out the import and what uses it.
sees q2: google.colab exists only in Colab
"""

# %% q2-answer
from google.colab import files
uploaded = files.upload()
total = sum(float(line.split(b",")[1]) for line in uploaded["measurements.csv"].splitlines()[1:])
