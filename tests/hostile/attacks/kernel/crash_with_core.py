"""Asks for a core file of any size and crashes: a program in core_pattern would run outside, as root.

naive: no score, when the kernel dies.
failed: ProcessEnded
message q2: crashed the notebook's Python process (SIGABRT).
status: partial
"""

# %%
import os
import resource

try:
    resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
except ValueError:
    resource.setrlimit(resource.RLIMIT_CORE, (1, 1))
os.abort()
