"""All answers and all checks in one cell."""


def build(notebook):
    notebook["cells"] = notebook["cells"][:5]
    return notebook


# %% q1-answer
def square(x):
    return x * x
total = sum(float(line.split(",")[1]) for line in list(open("measurements.csv"))[1:])
def scale(values, factor):
    return [factor * value for value in values]
ridge = PEAK / BANDWIDTH
for name in ("q1", "q2", "q3", "q4"):
    grader.check(name)
grader.check("q1"); grader.check("q2"); grader.check("q3"); grader.check("q4")
