"""Writes a verdict to the channel before anything was asked.

naive: 2/2, whatever arrives on the result pipe is the result.
failed: ConnectionDisturbed
message q2: disturbed the connection to the grader
"""
# %%
import os, stat
channel = next(fd for fd in range(3, 1000) if os.path.exists(f"/proc/self/fd/{fd}") and stat.S_ISSOCK(os.fstat(fd).st_mode))
text = b'["d","id",1,"value",["d","passed",true,"points",99]]'
os.write(channel, b"RPW1" + len(text).to_bytes(4, "big") + (0).to_bytes(8, "big") + text)
