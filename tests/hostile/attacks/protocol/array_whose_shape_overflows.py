"""An array whose shape multiplies to nought in 64 bits.

naive: a write beyond the buffer in C code.
uses: forge
failed: ConnectionDisturbed
"""
# %%
reply('["na","<f8",[4294967296,4294967296],0]')
