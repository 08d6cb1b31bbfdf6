"""A cell cleans up after itself, and takes the data file along; all that was read before counts."""

# %% end
!rm -rf *
import os
os.listdir(".")
