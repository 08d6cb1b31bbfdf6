"""The data file by its place on a Windows machine.

score: q2=0
sees: That place does not exist where a notebook is graded: open the lab's files by their bare names.
sees q2: open the lab's files by their bare names
"""

# %% q2-answer
import csv
total = sum(float(row["ms"]) for row in csv.DictReader(open(r"C:\Users\ana\Downloads\measurements.csv")))
