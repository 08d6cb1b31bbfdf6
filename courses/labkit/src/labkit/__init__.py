"""labkit: counts, rooflines and honest timing for predicting how fast a model step should run.

Every function states its units. Seconds, bytes and floating-point operations are plain SI numbers: no GFLOP, no
milliseconds. A multiply-add is two operations. Submodules import torch and matplotlib only where they use them, so
`import labkit` is cheap.
"""

__version__ = "0.1.0"
