"""Every short name that a grader's own code in the notebook might use is taken.

seen: ucbds-infra/otter-grader#817, marimo-team/marimo-pair#47
"""

# %% before q1-answer
open = print = id = list = dict = str = int = float = len = sum = max = min = type = range = input = None
test = t = env = result = results = score = points = data = x = f = df = np = pd = os = sys = json = 3

# %% after setup
plain_open = open

# %% q2-answer
import builtins
total = builtins.sum(builtins.float(line.split(",")[1]) for line in builtins.list(builtins.open("measurements.csv"))[1:])

# %% q3-answer
def scale(values, factor):
    return [factor * value for value in values]
