"""Tasks are started in two cells, which in Jupyter have a running loop, and awaited in a later one.

seen: jupyter/notebook#3860
"""

# %% before q1-answer
import asyncio
async def work():
    await asyncio.sleep(0.01)
    return 20.0
task = asyncio.ensure_future(work())

# %% after q1-check
other = asyncio.create_task(work())

# %% q4-answer
ridge = (await task + await other) / 2
