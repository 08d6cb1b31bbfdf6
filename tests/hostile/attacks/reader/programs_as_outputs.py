"""Outputs that are programs: JavaScript, widgets, their saved state, Vega, requests for modules, unknown kinds.

naive: 2/2, and JavaScript in the instructor's notebook server, which may open terminals.
reached: shown 7
page: only a running notebook can show
never: escaped(
never: <script
"""

# %%
from IPython.display import Javascript, display

run = "esca" + "ped(1)"
display(Javascript(run))
for kind in (
    "application/javascript", "text/javascript", "application/vnd.jupyter.widget-view+json", "application/vnd.plotly.v1+json",
    "application/vnd.vegalite.v5+json", "text/x-escaped; charset=<script>",
):  # fmt: skip
    display({kind: {"model_id": run, "spec": f"<script>{run}</script>"} if "json" in kind else run}, raw=True)
print("shown", 7)
