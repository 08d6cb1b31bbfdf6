"""Listens to all audit events of the interpreter: what is compiled, run, opened, imported.

naive: 2/2, the test file is compiled and run in the same interpreter.
uses: hunt
reached: events: True found: []
"""
# %%
import sys
heard, found = 0, []
def listen(event, args):
    global heard
    heard += 1
    if event in ("compile", "exec", "open", "import", "code.__new__") and len(found) < 10:
        try:
            if holds(repr(args)) or (event == "exec" and holds(repr(args[0].co_consts))):
                found.append(event)
        except Exception:
            pass
sys.addaudithook(listen)
# %% after
print("events:", heard > 10, "found:", found)
