"""The untrusted side of a lab: one process that executes a student's cells and answers questions about their objects.

It runs alone in its jail with nothing worth stealing: no tests, no seed, no scores. What it says is believed as far
as data goes and no further.
"""
