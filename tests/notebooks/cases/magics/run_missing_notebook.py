"""%run of another notebook of the student's, which was not handed in.

score: q1=0
sees: helpers.ipynb
sees q1: When a notebook is graded, only the lab's own files are beside it
"""

# %% q1-answer
%run helpers.ipynb
