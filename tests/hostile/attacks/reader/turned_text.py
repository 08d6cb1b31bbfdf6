"""Characters that turn, hide or imitate text, in names of errors, in messages and in outputs.

naive: 2/2, or a reader who takes a failed check for a passed one.
answers: own
reached: Passed
message q2: Error� �x: �dessaP�
page: Passed
"""

# %%
turned = "\u202edessaP\u202c \u2066\u200b\u200c\u200d\u2060\ufeff" + "\u0301" * 2000 + "\U000e0041\U000e0042 Passed"
print(turned)
Turned = type("Error\u202e \u2066x", (Exception,), {})


def f2(x):
    raise Turned(turned)


raise_now = type("\u202etxeN", (Exception,), {})
raise raise_now(turned)
