"""The same with requests.

score: q2=0
sees: There is no network when a notebook is graded: take out what needs it.
sees q2: There is no network when a notebook is graded
"""

# %% q2-answer
import requests
text = requests.get("http://example.org/measurements.csv", timeout=3).text
total = sum(float(line.split(",")[1]) for line in text.splitlines()[1:])
