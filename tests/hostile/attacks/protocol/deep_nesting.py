"""A reply that is nested a million levels deep.

naive: the grader dies of recursion.
uses: forge
failed: ConnectionDisturbed
"""
# %%
reply('["l",' * 1_000_000 + "1" + "]" * 1_000_000)
