"""Text that is no UTF-8, in the JSON and in the bytes of a text.

naive: an exception in the grader and no score for anybody.
uses: forge
failed: ConnectionDisturbed
"""
# %%
send(frame(b"\xff\xfe[\"u\",4]", b"\xed\xa0\x80\xff"))
