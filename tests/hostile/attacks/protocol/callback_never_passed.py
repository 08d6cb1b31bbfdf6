"""A call to a function that no test passed.

naive: a call to whatever stands at that number.
uses: forge
failed: ConnectionDisturbed
"""
# %%
send(frame(f'["d","id",{us._asking},"callback",1,"args",["t",1000000000000],"kwargs",["d"]]'))
