"""Patches what a fork server would hand on, if it were the same process: modules, builtins, finders, hooks.

naive: 2/2 for the next, a kernel that is used again keeps every patch.
reached: patched
"""

# %%
import builtins, gc, json, math, sys, threading

math.sqrt = lambda x: 1.0
json.loads_for_escaped = True
builtins.escaped = lambda x: x * x
sys.modules["escaped"] = sys.modules["math"]
sys.meta_path.insert(0, type("Finder", (), {"find_spec": lambda self, *a: None, "escaped": True})())
sys.path_hooks.append(lambda path: None)
threading.excepthook = sys.excepthook = print
sys.setswitchinterval(0.5)
gc.disable()
for relative in (object.__subclasses__()):
    try:
        relative.escaped = True
    except (TypeError, AttributeError):
        pass
print("patched")

# %% next
import builtins, gc, json, math, sys

print(math.sqrt(4), hasattr(json, "loads_for_escaped"), hasattr(builtins, "escaped"), "escaped" in sys.modules)
print([hasattr(each, "escaped") for each in sys.meta_path], sys.getswitchinterval(), gc.isenabled())
print(sum("escaped" in vars(each) for each in object.__subclasses__()))
