"""Objects whose ways of showing themselves never return a text: exceptions, exits, wrong types, objects without end.

naive: 2/2 or none, a display hook that exits takes the kernel with it.
reached: shown in spite of all
failed: SystemExit
"""

# %%
from IPython.display import display


class Odd:
    def __init__(self, way):
        self.way = way

    def __repr__(self):
        return "odd"

    def _repr_mimebundle_(self, **_):
        return self.way()


class Text(str):
    __len__ = lambda self: 10**12
    __str__ = lambda self: 7
    encode = lambda self, *a: b"escaped"


def leave():
    raise ZeroDivisionError


for way in (leave, lambda: 7, lambda: {7: 7, None: "x", "text/plain": 7}, lambda: {"text/html": Text("<p>x</p>")},
            lambda: ({"text/plain": "x"}, [7]), lambda: {Text("text/plain"): "x"}, lambda: {"text/html": b"\xff" * 99}):  # fmt: skip
    try:
        display(Odd(way))
    except Exception as error:
        print(type(error).__name__)
print("shown in spite" + " of all")


# %%
def leave():
    raise SystemExit("from a display")


Odd(leave)
