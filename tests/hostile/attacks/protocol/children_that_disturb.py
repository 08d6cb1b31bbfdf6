"""Children of the notebook's process write to the inherited channel, long after their cell.

naive: 2/2 or no score, as the child's bytes mix with the parent's.
uses: forge
limits: cell_s=10
failed: ConnectionDisturbed
"""
# %%
child = os.fork()
if not child:
    while True:
        send(frame('["d","id",1,"value",16]'))
        time.sleep(0.001)
time.sleep(60)
