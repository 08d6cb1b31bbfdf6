"""A reply whose number equals the right one, and is a float.

naive: 2/2, as 7.0 == 7.
uses: forge
failed: ConnectionDisturbed
"""
# %%
send(frame(f'["d","id",{us._asking}.0,"value",16]'))
