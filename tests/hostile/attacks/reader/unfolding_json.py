"""JSON that unfolds: lists in lists that are the same list each time, written out in more bytes than there are atoms.

naive: no score, the kernel runs out of memory, and interrupts don't reach the encoder.
limits: cell_s=2
failed: TimeLimit
status: partial
"""

# %%
from IPython.display import display

deep = []
for _ in range(400):
    deep = [deep, deep]
display({"application/json": {"deep": deep}, "text/plain": "x"}, raw=True)
