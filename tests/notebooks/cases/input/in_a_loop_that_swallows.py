"""A loop that asks until it gets a number, and swallows what goes wrong: it never ends.

limits: cell_s=4
score: q4=0
sees: Cell 9 (question q4) ran longer than 4 s and was stopped.
sees q4: ran longer than 4 s
status: partial
"""

# %% q4-answer
while True:
    try:
        ridge = float(input("Ridge? "))
        break
    except Exception:
        print("That was no number.")
