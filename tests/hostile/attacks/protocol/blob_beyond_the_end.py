"""A text that names more bytes than the message brings.

naive: memory of the grader, read into an answer.
uses: forge
failed: ConnectionDisturbed
"""
# %%
reply('["u",4096]', b"abc")
