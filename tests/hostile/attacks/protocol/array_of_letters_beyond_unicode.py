"""An array of text with letters beyond Unicode.

naive: the grader crashes in C code.
uses: forge
failed: ConnectionDisturbed
"""
# %%
reply('["na","<U2",[1],8]', b"\xff" * 8)
