"""Hands in notebooks to a whole installation while a saboteur breaks it, then proves that nothing was lost.

`make chaos` runs the long campaign; test_chaos.py a short one.
"""
