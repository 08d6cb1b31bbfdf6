"""Downloaded three times and renamed.

seen: jupyter/nbgrader#416, ucbds-infra/otter-grader#722
file: my final lab (3) — really!!.ipynb.txt
"""
