"""The package that !pip could not install is imported where an answer needs it.

limits: cell_s=30
score: q3=0
sees: raised ModuleNotFoundError: No module named 'polars'. polars is not there when a notebook is graded, and can't be
  installed: use what the lab's own cells import.
sees q3: polars is not there when a notebook is graded
"""

# %% q3-answer
!pip install -q --retries 0 --timeout 1 polars
import polars
def scale(values, factor):
    return (polars.Series(values) * factor).to_list()
