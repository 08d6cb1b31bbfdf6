"""An API key is asked for with getpass.

sees: Cell 3 raised RuntimeError: input() can't be answered while a notebook is graded
"""

# %% before q1-answer
from getpass import getpass
key = getpass("Key: ")
