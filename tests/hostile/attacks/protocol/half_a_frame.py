"""Half a frame, and silence.

naive: the grader waits for the other half until somebody looks.
uses: forge
limits: cell_s=2
failed: TimeLimit
"""
# %%
send(frame("[" * 1000)[:500])
while True:
    try:
        time.sleep(1000)
    except BaseException:
        pass
