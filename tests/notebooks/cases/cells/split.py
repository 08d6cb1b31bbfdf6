"""An answer split into three cells, one of them empty."""

# %% q2-answer
lines = open("measurements.csv").read().splitlines()

# %% before q2-check
rows = [line.split(",") for line in lines[1:]]

# %% before q2-check

# %% before q2-check
total = sum(float(ms) for _, ms in rows)
