"""A reply whose keys stand twice: the first say one thing, the last another.

naive: 2/2, where two readers take different ones.
uses: forge
failed: ConnectionDisturbed
"""
# %%
send(frame(f'["d","id",{us._asking},"value",16,"value",16,"id",{us._asking + 1}]'))
