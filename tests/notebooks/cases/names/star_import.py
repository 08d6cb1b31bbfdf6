"""from numpy import *: sum() is numpy's from there on, which wants no generator, in Jupyter neither.

score: q2=0
sees: Cell 6 (question q2) raised TypeError: Calling np.sum(generator) is deprecated
sees q2: Calling np.sum(generator)
"""

# %% before q1-answer
from numpy import *
from math import *
