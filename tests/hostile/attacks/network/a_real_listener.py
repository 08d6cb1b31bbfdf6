"""Connects to a port and to an abstract socket on which somebody outside really listens, as a broker or a database does.

naive: 2/2, with the broker's port at hand a forged result is one message away.
listens: yes
reached: port: PermissionError
reached: abstract: ConnectionRefusedError
reached: path: FileNotFoundError
"""

# %%
import socket

try:
    socket.create_connection(("127.0.0.1", {port}), timeout=2).sendall(b"escaped")
    print("port: connected")
except OSError as error:
    print("port:", type(error).__name__)
for name, address in (("abstract", "\0{abstract}"), ("path", "{path}")):
    try:
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(address)
        connection.sendall(b"escaped")
        print(f"{name}: connected")
    except OSError as error:
        print(f"{name}:", type(error).__name__)
