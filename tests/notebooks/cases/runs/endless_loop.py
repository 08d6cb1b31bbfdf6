"""`while True` in one answer of four.

seen: ucbds-infra/otter-grader#469, ucbds-infra/otter-grader#813, fastai/courses#217
limits: cell_s=4
score: q2=0
sees: Cell 5 (question q2) ran longer than 4 s and was stopped.
sees q2: ran longer than 4 s
status: partial
"""

# %% q2-answer
n = 0
while True:
    n += 1
