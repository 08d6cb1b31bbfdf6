"""A table that has more names than columns, and rows of different number.

naive: an exception in the grader and no score for anybody.
uses: forge
failed: ConnectionDisturbed
"""
# %%
reply('["df",["dr",null,0,3,1],[["na","<f8",[1],8]],["dr",null,0,2,1]]', bytes(8))
