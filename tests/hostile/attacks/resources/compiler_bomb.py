"""Source code of a few bytes that the compiler can't swallow, and a number that takes hours to be worked out.

naive: no score, otter-grader never returns.
limits: cell_s=2
failed: MemoryError
failed: TimeLimit
status: partial
"""

# %%
exec("x = " + "-" * 50_000 + "1")

# %%
import sys

sys.set_int_max_str_digits(0)
print(7 ** 7 ** 9)
