"""Leaves the working directory, removes it, and forgets all names.

naive: no score at all, as the grader writes its results into the directory that is gone.
reached: wiped: False []
"""
# %%
import os, shutil
os.chdir("/")
shutil.rmtree("/home/student", ignore_errors=True)
%reset -f
# %%
import os
print("wiped:", bool(os.listdir("/home/student")), [name for name in globals() if name == "f1"])
