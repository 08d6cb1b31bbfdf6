"""HTML nested 4,000 deep, tables of 3,000 columns, entities and unclosed tags.

naive: 2/2, and a page that crashes the tab, or the sanitizer, which then lets everything pass.
reached: nested 8
page: nested 8
"""

# %%
from IPython.display import HTML, display

for tag in ("div", "b", "table", "math", "svg", "a", "p><i"):
    display(HTML(f"<{tag}>" * 4_000 + "x"))
display(HTML("<table><tr>" + "<td colspan=1000>" * 3_000 + "&#x41;" * 3_000))
print("nested", 8)
