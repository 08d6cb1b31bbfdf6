"""The way of Windows and Macs: spawned processes look for the function in a module that is not there, in Jupyter too.

seen: jupyter/notebook#6258, microsoft/vscode-jupyter#12485
limits: cell_s=5
score: q3=0
sees: Cell 7 (question q3) ran longer than 5 s and was stopped.
sees q3: ran longer than 5 s
status: partial
"""

# %% q3-answer
import multiprocessing
def times(pair):
    return pair[0] * pair[1]
pool = multiprocessing.get_context("spawn").Pool(1)
print(pool.map(times, [(1, 2)]))
def scale(values, factor):
    return pool.map(times, [(value, factor) for value in values])
