"""tqdm, where it is installed, in both its forms; else by hand."""

# %% before q1-answer
try:
    from tqdm.auto import tqdm
except ImportError:
    tqdm = iter
for _ in tqdm(range(1000)):
    pass
