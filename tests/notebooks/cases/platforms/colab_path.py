"""The data file by Colab's absolute path.

score: q2=0
sees: FileNotFoundError: [Errno 2] No such file or directory: '/content/measurements.csv'. That place does not exist
  where a notebook is graded: open the lab's files by their bare names.
sees q2: open the lab's files by their bare names
"""

# %% q2-answer
with open("/content/measurements.csv") as file:
    total = sum(float(line.split(",")[1]) for line in list(file)[1:])
