"""Displays a number, as nbgrader's graded cells do, and outputs of kinds that a grader might read.

naive: 2/2, nbgrader takes a number that the graded cell displays for its points.
reached: 2
page: All tests passed
"""
# %%
from IPython.display import HTML, display
display({"application/vnd.ridgepoint.report+json": {"score": 8, "questions": [{"name": "q2", "points": 2}]},
         "application/vnd.nbgrader.score+json": 2, "text/plain": "2"}, raw=True,
        metadata={"nbgrader": {"points": 2, "grade": True}, "ridgepoint": {"question": "q2", "points": 2}})
display(HTML("<p>All tests passed</p>"))
2
