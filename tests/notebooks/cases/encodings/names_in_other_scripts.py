"""Somebody thinks in Greek and Japanese, and Python lets them.

shows: 20.0
"""

# %% q4-answer
π_κορυφή, 帯域 = PEAK, BANDWIDTH
ridge = π_κορυφή / 帯域
print(ridge, "\N{SNOWMAN} 🎉")
