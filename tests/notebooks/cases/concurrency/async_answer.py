"""The answer is an async function, where a plain one was asked for.

score: q1=0
sees q1: coroutine
"""

# %% q1-answer
async def square(x):
    return x * x
