"""Written for a machine with a GPU, which the grading machine lacks: the first of the failures says so.

score: q1=0 q4=0
sees: Cell 3 raised AssertionError: Torch not compiled with CUDA enabled. There is no GPU where this notebook was graded:
  use one only if torch.cuda.is_available() says so.
sees: Cell 4 (question q1) raised NameError: name 'weights' is not defined
sees: (question q4) raised NameError: name 'weights' is not defined
sees q1: There is no GPU where this notebook was graded
sees q4: There is no GPU where this notebook was graded
"""

# %% before q1-answer
import torch
weights = torch.ones(3).cuda()

# %% q1-answer
three = weights.sum()
def square(x):
    return x * x

# %% q4-answer
ridge = weights.sum() * 20 / 3
