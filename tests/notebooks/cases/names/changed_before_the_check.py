"""The value is right in the answer's cell and changed before the check.

score: q4=0
sees q4: ridge
"""

# %% before q4-check
ridge = -ridge
