"""A handler that raises KeyboardInterrupt, rung a hundred times a second by a timer of processor time.

naive: no score.
reached: armed
"""

# %%
import signal


def raise_it(*_):
    raise KeyboardInterrupt("from the student's own handler")


signal.signal(signal.SIGVTALRM, raise_it)
signal.setitimer(signal.ITIMER_VIRTUAL, 0.5, 0.01)
print("armed")
