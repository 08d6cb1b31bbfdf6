"""Answers, error messages and class names of lone surrogates, terminal codes, NUL and right-to-left marks.

naive: no score at all, as the report can't be written as UTF-8.
answers: own
reached: said
"""
# %%
nasty = "\ud800\udfff\0\x1b[31m\u202e\r\n" * 1000
kind = type("\x1b[31m\u202e" * 500, (Exception,), {"__str__": lambda self: nasty})
def f2(x):
    if x == 3:
        raise kind()
    return nasty
print("said")
