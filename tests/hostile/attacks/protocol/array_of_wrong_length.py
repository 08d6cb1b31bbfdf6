"""An array whose shape needs more bytes than it brings.

naive: numbers read from beyond the buffer.
uses: forge
failed: ConnectionDisturbed
"""
# %%
reply('["na","<f8",[4096],8]', bytes(8))
