"""sys.stdin is read, as contest sites have it: it is empty.

score: q4=0
sees q4: raised ValueError
sees: raised ValueError
"""

# %% q4-answer
import sys
ridge = float(sys.stdin.readline())
