"""One line is indented by a tab, the next by spaces.

score: q1=0
sees: raised TabError: inconsistent use of tabs and spaces in indentation
sees q1: TabError
"""

# %% q1-answer
def square(x):
	if x:
		return x * x
        return 0
