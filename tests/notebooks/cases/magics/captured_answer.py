"""Output was taken away with %%capture; the names stay."""

# %% q2-answer
%%capture
rows = [line.split(",") for line in open("measurements.csv")][1:]
total = sum(float(ms) for _, ms in rows)
print(total)
