"""Kaggle's first cell lists its input folder, which is empty here; the data file's path leads there.

score: q2=0
sees: FileNotFoundError: [Errno 2] No such file or directory: '/kaggle/input/lab/measurements.csv'. That place does not
  exist where a notebook is graded
sees: kaggle_secrets is not there when a notebook is graded, and can't be installed: use what the lab's own cells import.
sees q2: open the lab's files by their bare names
"""

# %% before given
import numpy as np # linear algebra
import os
for dirname, _, filenames in os.walk('/kaggle/input'):
    for filename in filenames:
        print(os.path.join(dirname, filename))

# %% q2-answer
import pandas as pd
total = pd.read_csv("/kaggle/input/lab/measurements.csv").ms.sum()

# %% end
from kaggle_secrets import UserSecretsClient
