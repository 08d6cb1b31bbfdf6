"""A reply that brings 200 MB more than it names.

naive: the grader keeps what nobody reads.
uses: forge
failed: ConnectionDisturbed
"""
# %%
reply("16", bytes(200_000_000))
