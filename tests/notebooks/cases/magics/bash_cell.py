"""A cell in bash makes a file that the answer reads."""

# %% before q2-answer
%%bash
tail -n +2 measurements.csv | cut -d, -f2 > ms.txt

# %% q2-answer
total = sum(float(line) for line in open("ms.txt"))
