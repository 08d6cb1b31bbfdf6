"""The data comes from the network, as it did at home.

score: q2=0
sees: There is no network when a notebook is graded: take out what needs it.
sees q2: There is no network when a notebook is graded
"""

# %% q2-answer
import urllib.request
text = urllib.request.urlopen("https://example.org/measurements.csv", timeout=3).read().decode()
total = sum(float(line.split(",")[1]) for line in text.splitlines()[1:])
