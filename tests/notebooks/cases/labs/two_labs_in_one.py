"""Last week's lab with this week's setup cell pasted below.

refused: This notebook holds the setup cells of the labs testing/other-kernels and testing/measured-kernels: keep only
  that of the lab you are submitting.
"""

# %% before setup
# ridgepoint-lab: testing/other-kernels
import math
