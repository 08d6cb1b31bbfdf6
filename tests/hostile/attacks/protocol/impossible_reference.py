"""A reference with an impossible number, a long description and a part too many.

naive: an exception in the grader and no score for anybody.
uses: forge
failed: ConnectionDisturbed
"""
# %%
reply('["r",-1,"' + "x" * 100_000 + '",true,1]')
