"""%matplotlib widget and %matplotlib qt: neither is there, and each fails where it stands.

sees: Cell 3 raised ImportError
sees: Cell 4 raised RuntimeError: 'widget' is not a recognised GUI loop or backend name. A notebook is graded without a
  screen: use %matplotlib inline.
"""

# %% before q1-answer
%matplotlib qt

# %% before q1-answer
%matplotlib widget
