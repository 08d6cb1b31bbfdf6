"""Top-level await, async functions, async for and with.

seen: AnswerDotAI/execnb#92
"""

# %% q2-answer
import asyncio
async def read():
    await asyncio.sleep(0.01)
    return [float(line.split(",")[1]) for line in list(open("measurements.csv"))[1:]]
total = sum(await read())
results = await asyncio.gather(read(), read())
