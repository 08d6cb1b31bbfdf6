"""Gives the names of built-in functions to values of its own, in the notebook only.

naive: an error in every later question, as otter-grader's own injected code uses these names.
reached: shadowed: None
"""
# %%
open = id = list = type = len = str = dict = isinstance = getattr = all = abs = None
print("shadowed:", len)
