"""The magics that begin half of all notebooks.

seen: ucbds-infra/otter-grader#754, ucbds-infra/otter-grader#604
"""

# %% before given
%matplotlib inline
%load_ext autoreload
%autoreload 2
%config InlineBackend.figure_format = 'retina'
%precision 3
%env OMP_NUM_THREADS=1
%pwd
%who
%history

# %% after given
%%capture output
print("kept")

# %% before q1-answer
%%time
n = sum(range(1000))

# %% before q2-answer
%timeit -n 1 -r 1 sum(range(10))
%time n = 5
assert n == 5
