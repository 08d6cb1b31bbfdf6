"""Makes the collector of outputs return kinds that no notebook has.

naive: an executed notebook that no tool opens.
failed: ConnectionDisturbed
"""
# %%
shell = get_ipython()
shell.collector.take = lambda: [{"output_type": "evil", "data": 3}]
