"""os.chdir into a folder made for the purpose, and back by a path that is only right at home.

score: q2=0
sees: (question q2) raised FileNotFoundError: [Errno 2] No such file or directory: '/home/ana/lab'
sees: No such file or directory: 'measurements.csv'
sees q2: No such file or directory: '/home/ana/lab'
"""

# %% before given
import os
os.makedirs("work", exist_ok=True)
os.chdir("work")

# %% after q1-check
os.chdir("/home/ana/lab")
