"""Outputs with 100,000 kinds, with metadata of as many keys, and JSON with as many lists.

naive: 2/2, and a notebook that takes minutes to be read by each who opens it.
reached: the outputs' end
page: the outputs' end
"""

# %%
from IPython.display import JSON, display

display({f"application/x-{n}": "x" for n in range(100_000)} | {"text/plain": "many"}, raw=True)

# %%
display({"text/plain": "metadata"}, metadata={f"key{n}": n for n in range(100_000)}, raw=True)

# %%
display(JSON({str(n): [n] * 3 for n in range(100_000)}))
print("the outputs' " + "end")
