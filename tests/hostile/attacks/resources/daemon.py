"""A daemon by the book: forked twice, a session of its own, deaf to every signal, and it holds all descriptors.

naive: 2/2, and a process that lives on after the grading; otter-grader waits for the pipes that it holds.
reached: the daemon runs: True
"""

# %%
import os, signal, time

read, write = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in range(1, 32):
            try:
                signal.signal(number, signal.SIG_IGN)
            except OSError:
                pass
        os.chdir("/")
        os.write(write, str(os.getpid()).encode())
        while True:
            time.sleep(0.5)
            print("still here", flush=True)
            os.write(1, b"still here\n")
    os._exit(0)
os.wait()
pid = int(os.read(read, 20))
os.kill(pid, signal.SIGTERM)
os.kill(pid, signal.SIGHUP)
print("the daemon runs:", os.path.exists(f"/proc/{pid}"))
