"""Opens sockets of every family and kind there is: IPv4, IPv6, packets, netlink, vsock, Bluetooth, AF_ALG, and so on.

naive: 2/2, with the answers fetched from outside: otter-grader's containers have a network unless told otherwise.
uses: attempt
reached: 276 attempts, through: []
reached: pairs tried: 45
"""

# %%
import socket

for family in range(2, 48):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET, 10, 4):
        attempt(f"family {family}, kind {kind}", lambda: socket.socket(family, kind, 0).close())
print(f"{len(tried)} attempts, through: {through}")
pair = (ctypes.c_int * 2)()
tried.clear()
for family in range(2, 47):
    attempt(f"pair of family {family}", lambda: libc.socketpair(family, 1, 0, pair))
print("pairs tried:", len(tried) if not through else through)
