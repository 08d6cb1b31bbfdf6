"""asyncio.run(), which fails in Jupyter and works in a script: here it works.

seen: jupyter/notebook#4312, spyder-ide/qtconsole#377, jupyterlab/jupyterlab#4399
"""

# %% before q1-answer
import asyncio
async def main():
    await asyncio.sleep(0.01)
asyncio.run(main())

# %% after q1-check
await asyncio.sleep(0.01)
loop = asyncio.get_event_loop()
