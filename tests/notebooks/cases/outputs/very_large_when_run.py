"""A cell prints without end in sight, 40 MB: its output is cut, its answer counts.

seen: rsnirwan/GPLVMsInFinance#4
shows: output truncated
"""

# %% q4-answer
ridge = PEAK / BANDWIDTH
for n in range(400):
    print("x" * 100_000)
