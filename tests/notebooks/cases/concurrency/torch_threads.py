"""torch as the lab brings it: a tensor as an answer, and a device that depends on what is there."""

# %% q1-answer
import torch
device = "cuda" if torch.cuda.is_available() else "cpu"
def square(x):
    return (torch.tensor(float(x), device=device) ** 2).item()

# %% q4-answer
ridge = torch.tensor(PEAK / BANDWIDTH, dtype=torch.float64)
