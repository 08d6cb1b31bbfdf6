"""The answer stands under %%timeit, which runs it in a function of its own: nothing of it stays, as in Jupyter.

score: q4=0
sees q4: You have not defined `ridge`.
"""

# %% q4-answer
%%timeit -n 1 -r 1
ridge = PEAK / BANDWIDTH
