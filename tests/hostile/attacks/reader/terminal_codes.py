"""Codes that a terminal obeys: titles, links, the clipboard, questions that it answers by typing, cursor moves.

naive: 2/2, and a command on the instructor's prompt, when a report is read in a terminal that answers questions.
answers: own
reached: printed
page: printed
message q2: ValueError: red
"""

# %%
ESC = "\x1b"
codes = (
    f"{ESC}[31mred{ESC}]0;escaped\x07{ESC}]52;c;ZXNjYXBlZA==\x07{ESC}]8;;java" + f"script:escaped(1){ESC}\\link{ESC}]8;;{ESC}\\"
    f"{ESC}P+q544e{ESC}\\{ESC}[6n{ESC}[2J{ESC}[1;1H{ESC}c{ESC}[?1049h\x9b31m\x9d0;escaped\x9c\x08\x7f\x0e{ESC}(0"
)
print(codes)
print("prin" + "ted")


def f2(x):
    raise ValueError(codes)
