"""A reply with the NaN that JSON lacks.

naive: NaN points, which compare false with every bound.
uses: forge
failed: ConnectionDisturbed
"""
# %%
reply("NaN")
