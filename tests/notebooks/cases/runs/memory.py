"""A list that grows until memory is used up.

seen: jupyter/nbconvert#1035, MaayanLab/appyter#84
limits: memory_bytes=536870912
score: q2=0
sees: Cell 5 (question q2) needed more memory than the memory limit of 512 MiB
sees: was lost, so the cells before were run again without cell 5
sees q2: the memory limit of 512 MiB
status: partial
"""

# %% q2-answer
hog = []
while True:
    hog.append(bytes(10_000_000))
