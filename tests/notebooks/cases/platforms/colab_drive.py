"""Colab's drive is mounted at the top, in the cell in which numpy is imported too: the names fail in later cells.

seen: phreakyphoenix/MXNet-GluonCV-AWS-Coursera#1, valdanchev/reproducible-data-science-python#2
score: q2=0 q3=0
sees: Cell 3 raised ModuleNotFoundError: No module named 'google'. google.colab exists only in Colab: take
  out the import and what uses it.
sees: Cell 6 (question q2) raised NameError: name 'np' is not defined
sees q2: google.colab exists only in Colab
sees q3: google.colab exists only in Colab
"""

# %% before q1-answer
from google.colab import drive
drive.mount("/content/drive")
import numpy as np

# %% q2-answer
total = np.loadtxt("measurements.csv", delimiter=",", skiprows=1, usecols=1).sum()

# %% q3-answer
def scale(values, factor):
    return list(factor * np.array(values))
