"""Threads that go on printing, one that raises, and an executor for the answer."""

# %% q3-answer
import threading, time
from concurrent.futures import ThreadPoolExecutor
def talk():
    while True:
        print(".", end="")
        time.sleep(0.01)
threading.Thread(target=talk, daemon=True).start()
threading.Thread(target=lambda: 1 / 0).start()
executor = ThreadPoolExecutor(2)
def scale(values, factor):
    return list(executor.map(lambda value: factor * value, values))
