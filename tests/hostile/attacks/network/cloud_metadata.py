"""Asks the cloud's metadata service for the machine's credentials, by every program that can fetch a page.

naive: credentials, the worker's own: nothing stops it in a container with a network.
reached: nothing was fetched: ['urllib', 'urllib6', 'curl', 'wget', 'bash', 'python']
"""

# %%
import subprocess, sys, urllib.request

LINK, SIX = "http://169.254.169.254/latest/meta-data/", "http://[fd00:ec2::254]/latest/meta-data/"
nothing = []
for name, link in (("urllib", LINK), ("urllib6", SIX)):
    try:
        urllib.request.urlopen(link, timeout=2).read()
    except OSError as error:
        nothing += [name] * ("Operation not permitted" in str(error))
for name, command in {
    "curl": ["curl", "-sm2", LINK], "wget": ["wget", "-qT2", "-t1", "-O-", LINK],
    "bash": ["bash", "-c", "exec 3<>/dev/tcp/169.254.169.254/80 && echo escaped"],
    "python": [sys.executable, "-c", f"import urllib.request as r; print(r.urlopen({LINK!r}, timeout=2).read())"],
}.items():  # fmt: skip
    try:
        done = subprocess.run(command, capture_output=True, timeout=4)
        nothing += [name] * (done.returncode != 0 and not done.stdout)
    except FileNotFoundError:
        nothing.append(name)
print("nothing was fetched:", nothing)
