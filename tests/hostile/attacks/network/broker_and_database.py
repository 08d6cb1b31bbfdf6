"""Looks for the broker and the database: their ports, their usual sockets, their addresses in the environment.

naive: 2/2, a worker that runs notebooks in its own network leaves both a connection away.
uses: attempt
reached: through: []
reached: no socket file is to be seen: []
reached: no address in the environment: []
"""

# %%
import socket, stat

for port in (5432, 6379, 5672, 8000, 11211, 3306):
    for host in ("127.0.0.1", "localhost", "redis", "postgres", "host.docker.internal", "172.17.0.1"):
        attempt(f"{host}:{port}", lambda: socket.create_connection((host, port), timeout=1), socket.EAI_AGAIN,
                socket.EAI_NONAME, socket.EAI_SYSTEM, socket.EAI_FAIL)  # fmt: skip
for path in ("/run/postgresql/.s.PGSQL.5432", "/var/run/docker.sock", "/run/dbus/system_bus_socket",
             "/run/systemd/private", "/tmp/.s.PGSQL.5432", "/run/containerd/containerd.sock"):  # fmt: skip
    attempt(path, lambda: socket.socket(socket.AF_UNIX).connect(path), errno.ENOENT)
found = []
for start in ("/run", "/var", "/tmp", "/home", "/dev", "/etc", "/srv", "/root"):
    for top, _, names in os.walk(start):
        for path in (f"{top}/{name}" for name in names):
            try:
                found += [path] * stat.S_ISSOCK(os.lstat(path).st_mode)
            except OSError:
                pass
print(f"{len(tried)} attempts, through: {through}")
print("no socket file is to be seen:", found)
print("no address in the environment:", [name for name, value in os.environ.items() if "://" in value and "module" not in value])
