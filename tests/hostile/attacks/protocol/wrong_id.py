"""A reply to a question that was never asked.

naive: 2/2, answers are taken in order of arrival.
uses: forge
failed: ConnectionDisturbed
"""
# %%
reply("16", number=us._asking ^ 1)
