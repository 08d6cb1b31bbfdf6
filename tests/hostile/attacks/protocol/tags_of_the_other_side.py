"""A reply with the tags by which tests name modules, instances and functions to the notebook.

naive: a command run in the grader, which imports what it is told.
uses: forge
failed: ConnectionDisturbed
"""
# %%
reply('["O","subprocess","Popen",["d","args",["N","os","system"]]]')
