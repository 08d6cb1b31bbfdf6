"""The student mended the data file in an editor; here the lab's own lies beside the notebook, and the note is the score.

score: q2=1
sees q2: A hidden check of this question did not pass.
"""

# %% q2-answer
rows = [line.split(",") for line in open("measurements.csv")][1:]
total = sum(float(ms) for _, ms in rows[:2])
