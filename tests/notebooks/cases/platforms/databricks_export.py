"""Exported from Databricks as IPython notebook: its own outputs and metadata, `dbutils` and `display`.

seen: rapidsai/deployment#323, projectglow/glow#36
sees: Cell 3 raised NameError: name 'dbutils' is not defined. dbutils exists only in Databricks: take out
  what uses it.
"""

# %% before q1-answer
display(PEAK)
dbutils.widgets.text("name", "x")
