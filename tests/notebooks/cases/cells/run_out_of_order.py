"""`shift` was set in a cell that has since been deleted, and by its hidden state all went well on the student's machine.

seen: ucbds-infra/otter-grader#141, ucbds-infra/otter-grader#888
score: q4=0
sees: Cell 9 (question q4) raised NameError: name 'shift' is not defined
sees q4: name 'shift' is not defined
"""

# %% q4-answer
ridge = PEAK / BANDWIDTH + shift
