"""An integer in the codec's own form, of ten million digits.

naive: the grader works for minutes on one number.
uses: forge
failed: ConnectionDisturbed
"""
# %%
reply('["i","' + "f" * 10_000_000 + '"]')
