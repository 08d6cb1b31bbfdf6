"""Markdown of a few kilobytes on which parsers take time in the square of its length, or worse.

naive: 2/2, and a page that is being made for hours; nbconvert has no limit.
reached: intricate
page: intricate
"""

# %%
from IPython.display import Markdown, display

display(Markdown("> " * 2_000 + "x"))
display(Markdown("[" * 5_000 + "*_`" * 2_000 + "<" * 5_000 + "![" * 2_000))
display(Markdown("| a " * 2_000 + "\n" + "|-" * 2_000 + "\n" + "\\(" * 2_000 + "$" * 2_001))
print("intri" + "cate")
