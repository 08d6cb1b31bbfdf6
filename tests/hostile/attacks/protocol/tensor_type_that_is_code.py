"""A tensor whose type is the name of something else in torch.

naive: a call of torch.load, as getattr(torch, name) finds it.
uses: forge
failed: ConnectionDisturbed
"""
# %%
reply('["pt","load",[1],false,4]', bytes(4))
