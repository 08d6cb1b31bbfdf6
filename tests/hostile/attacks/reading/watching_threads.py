"""A thread looks at the frames of all other threads, again and again, while hidden tests run.

naive: 2/2, sys._current_frames() shows the test's own frame.
uses: hunt
reached: looks: True found: []
"""
# %%
import sys, threading, time
looks, found, done = 0, [], False
def watch():
    global looks
    while not done:
        for frame in sys._current_frames().values():
            while frame is not None:
                looks += 1
                if frame.f_code is not watch.__code__ and (
                    holds(repr(frame.f_code.co_consts) + frame.f_code.co_name)
                    or any(isinstance(v, (str, bytes)) and len(v) < 10_000 and holds(v) for v in list(frame.f_locals.values()))
                ):
                    found.append(frame.f_code.co_name)
                frame = frame.f_back
        time.sleep(0.001)
threading.Thread(target=watch, daemon=True).start()
# %% after
done = True
print("looks:", looks > 10, "found:", found)
