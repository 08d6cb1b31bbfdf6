"""Closes its half of the channel and waits.

naive: the grader waits for ever.
uses: forge
failed: ConnectionClosed
"""
# %%
wire.shutdown(socket.SHUT_WR)
time.sleep(1000)
