"""Packages are installed by %pip and !pip, as every tutorial does; one is there anyway, the others can't be had.

seen: ucbds-infra/otter-grader#861, ucbds-infra/otter-grader#754
limits: cell_s=30
"""

# %% before given
!pip install -q --retries 0 --timeout 1 seaborn numpy
%pip install --retries 0 --timeout 1 tqdm
