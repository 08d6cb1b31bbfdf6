"""matplotlib with show, savefig, a backend of its own, and figures left open by the hundred.

seen: AnswerDotAI/execnb#64
shows: image/png
"""

# %% before q1-answer
import matplotlib
import matplotlib.pyplot as plt
plt.plot([1, 2])
plt.show()

# %% after q1-check
matplotlib.use("TkAgg", force=False)
fig, axes = plt.subplots(2, 2)
fig.savefig("figure.png")
plt.show(block=True)

# %% after q2-check
matplotlib.use("Agg")
for _ in range(30):
    plt.figure()
plt.close("all")
