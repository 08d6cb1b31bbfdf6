"""Leaves timers armed: an alarm that kills, and an interval timer whose handler raises wherever it rings.

naive: no score, the alarm ends the process in the middle of the tests.
reached: armed
"""

# %%
import signal, threading, os, time

signal.alarm(1)
signal.signal(signal.SIGUSR1, lambda *_: None)


def disturb():
    while True:
        time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGUSR1)


threading.Thread(target=disturb, daemon=True).start()
print("armed")
