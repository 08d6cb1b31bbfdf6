"""A hundred thousand color codes, each opening what none closes: nested elements for whoever turns them into HTML.

naive: 2/2, and a page of 100,000 nested elements that no browser lays out.
reached: colored
page: colored
"""

# %%
print("".join(f"\x1b[{1 + n % 8};{30 + n % 8};{40 + n % 7}m{n % 10}" for n in range(100_000)))
print("colo" + "red")
