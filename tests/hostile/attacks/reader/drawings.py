"""SVG with scripts, foreign HTML, animated addresses and entities that unfold to gigabytes.

naive: 2/2, and a script in the reader's session: SVG is a document, and nbconvert puts it into the page.
reached: drawn 5
page: after the drawings
never: escaped(
"""

# %%
from IPython.display import SVG, display

run = "esca" + "ped(1)"
head = "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' "
bomb = "".join(f"<!ENTITY a{n} '{f'&a{n - 1};' * 10}'>" for n in range(1, 12))
drawings = [
    f"{head} onload='{run}'><script>{run}</script></svg>",
    f"{head}><foreignObject><body xmlns='http://www.w3.org/1999/xhtml'><img src='x' onerror='{run}'/></body></foreignObject></svg>",
    f"{head}><a xlink:href='x'><animate attributeName='href' values='java{''}script:{run}'/><text y='9'>t</text></a></svg>",
    f"{head}><use xlink:href='data:image/svg+xml,%3Csvg onload={run}%3E#x'/><handler type='text/javascript'>{run}</handler></svg>",
    f"<!DOCTYPE svg [<!ENTITY a0 'x'>{bomb}<!ENTITY file SYSTEM 'file:///etc/passwd'>]>{head}><text>&a11;&file;</text></svg>",
]
for drawing in drawings:
    display({"image/svg+xml": drawing}, raw=True)
print("drawn", len(drawings))
print("after" + " the drawings")
