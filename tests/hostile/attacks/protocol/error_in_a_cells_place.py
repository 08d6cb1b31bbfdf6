"""An error in the place of a cell and its outputs.

naive: no score at all, at a cell without a result.
uses: forge
failed: ConnectionDisturbed
"""
# %%
send(frame(f'["d","id",{us._asking},"error",["d","name","X","message","","cell",null,"line",0,"source","","timed_out",true]]'))
