"""Prints 300,000 lines.

naive: 2/2, and a notebook of many megabytes that no browser opens.
reached: line 0
reached: output truncated
render: yes
page: line 0
"""

# %%
for number in range(300_000):
    print(f"line {number}: {'x' * 40}")
