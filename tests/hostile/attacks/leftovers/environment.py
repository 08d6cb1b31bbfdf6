"""Changes everything that a process hands on: environment, limits, priority, mask, working folder, signals.

naive: 2/2, where one kernel serves several notebooks, the next one starts where this one stopped.
reached: all changed
"""

# %%
import locale, os, resource, signal, sys, warnings

os.environ.update(PATH="/tmp", PYTHONSTARTUP="/tmp/escaped.py", LD_PRELOAD="/tmp/escaped.so", OMP_NUM_THREADS="1")
os.umask(0o777)
os.chdir("/")
os.nice(10)
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
resource.setrlimit(resource.RLIMIT_STACK, (65_536 * 16, 65_536 * 16))
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGUSR1})
signal.signal(signal.SIGINT, signal.SIG_IGN)
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
sys.setrecursionlimit(400)
warnings.simplefilter("error")
print("all changed")

# %% next
import os, resource, signal, sys

print(os.environ.get("LD_PRELOAD"), os.environ.get("OMP_NUM_THREADS"), os.getcwd(), os.sched_getaffinity(0))
print(resource.getrlimit(resource.RLIMIT_STACK), sys.getrecursionlimit(), sys.warnoptions)
