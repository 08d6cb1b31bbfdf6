"""Databricks' source format: Python with COMMAND lines.

seen: databricks/databricks-vscode#578
file: lab.py
refused: This file is a Python script: submit the notebook itself (.ipynb), not an export of it.
"""


def build(notebook):
    return b"# Databricks notebook source\nx = 1\n\n# COMMAND ----------\n\n# MAGIC %md\n# MAGIC Lab\n"
