"""The working directory is left at the end, which once cost all marks that were earned."""

# %% end
import os, tempfile
os.chdir(tempfile.mkdtemp())
%cd /
