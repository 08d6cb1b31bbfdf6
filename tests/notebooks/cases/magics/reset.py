"""%reset before the third question, to "start clean": earlier marks stay, later cells miss what it took.

score: q4=0
sees: Cell 9 (question q3) raised NameError: name 'grader' is not defined
sees: Cell 10 (question q4) raised NameError: name 'PEAK' is not defined
sees: Cell 11 (question q4) raised NameError: name 'grader' is not defined
sees: Code cell 7 has %reset, which forgets what the cells above defined: take it out if cells below need that.
"""

# %% before q3-answer
%reset -f
