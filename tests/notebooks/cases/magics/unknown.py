"""A magic of an extension that is not installed here.

sees: Cell 3 raised ModuleNotFoundError: No module named 'nb_black'
sees: Cell 4 raised UsageError: Line magic function `%lprun` not found.
"""

# %% before q1-answer
%load_ext nb_black

# %% before q1-answer
%lprun -f square square(3)
