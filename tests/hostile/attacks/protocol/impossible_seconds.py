"""A cell that says that it took minus a day, and that its time limit is the number nought.

naive: the best time of the class.
uses: forge
failed: ConnectionDisturbed
"""
# %%
reply('["d","outputs",["l"],"error",null,"timed_out",0,"seconds",-86400.0]')
