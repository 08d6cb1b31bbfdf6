"""Code pasted from a chat, whose indentation is no-break spaces.

seen: ipython/ipython#7813
score: q3=0
sees: raised SyntaxError: invalid non-printable character U+00A0
sees q3: invalid non-printable character U+00A0
"""

# %% q3-answer
def scale(values, factor):
    return [factor * value for value in values]
