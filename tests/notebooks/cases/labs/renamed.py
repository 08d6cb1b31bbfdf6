"""Downloaded three times and renamed.

seen: jupyter/nbgrader#416, ucbds-infra/otter-grader#722, jupyter/nbgrader#1302, earthlab/abc-classroom#88
file: my final lab (3) — really!!.ipynb.txt
"""
