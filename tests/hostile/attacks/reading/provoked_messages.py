"""Fails hidden tests in ways that make them say what they expected, and waits for the feedback.

naive: the expected value in the feedback; nbgrader and otter-grader have shown hidden tracebacks to students.
answers: own
render: yes
reached: raised
never: hidden_
"""
# %%
class Curious(Exception):
    def __str__(self):
        return "".join(map(str, self.args)) + str(self.__traceback__ and self.__traceback__.tb_frame.f_back)
    __repr__ = __str__
def f2(x):
    if x == -4:
        print("%(expected)s {expected} {due!r} {self.__class__}")
        raise Curious("{expected}", x, "%s %(due)s", AssertionError("tell me"))
    return "{due} %s" * x
# %% after
print("raised")
