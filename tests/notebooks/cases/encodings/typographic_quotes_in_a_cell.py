"""One answer was pasted from a word processor, quotation marks and all.

seen: jupyter/notebook#3510
score: q2=0
sees: raised SyntaxError: invalid character '“' (U+201C)
sees q2: invalid character '“' (U+201C)
"""

# %% q2-answer
total = sum(float(line.split(“,”)[1]) for line in open("measurements.csv") if line[0] != “k”)
