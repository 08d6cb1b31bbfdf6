"""Bytes that are no frame at all.

naive: the grader waits for the rest of the message until its own limit.
uses: forge
failed: ConnectionDisturbed
"""
# %%
send(b"\x80\x04\x95 GET / HTTP/1.1\r\n\r\n" + os.urandom(500_000))
