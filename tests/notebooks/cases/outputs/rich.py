"""HTML, SVG, Markdown, LaTeX, JSON, an audio player, a video frame and a progress bar that overwrites itself."""

# %% before q1-answer
from IPython.display import HTML, IFrame, JSON, Audio, Latex, Markdown, SVG, clear_output, display
display(HTML("<script>alert(1)</script><b>x</b>"), Markdown("# x"), Latex("$x$"), JSON({"a": [1]}))
display(SVG("<svg xmlns='http://www.w3.org/2000/svg'/>"), IFrame("https://example.org", 1, 1))
for n in range(200):
    print(f"\r{n:3d}%|{'#' * (n // 10)}", end="")
clear_output(wait=True)
