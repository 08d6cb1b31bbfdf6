"""Opens files until there are no more descriptors, and keeps them.

naive: no score, otter-grader can't open its own result file in the same process.
reached: Too many open files
"""

# %%
kept = []
try:
    while True:
        kept.append(open("/dev/null"))
except OSError as error:
    print(error.strerror)
