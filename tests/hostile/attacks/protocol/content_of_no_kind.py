"""A reply with neither a value nor an error nor a call.

naive: an exception in the grader and no score for anybody.
uses: forge
failed: ConnectionDisturbed
"""
# %%
send(frame(f'["d","id",{us._asking},"passed",true]'))
