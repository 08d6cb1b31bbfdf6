"""A reply of two million empty lists, each of which takes more memory than its bytes.

naive: a hundred times the memory that the message had.
uses: forge
failed: ConnectionDisturbed
"""
# %%
reply('["l",' + ",".join(['["l"]'] * 2_000_000) + "]")
