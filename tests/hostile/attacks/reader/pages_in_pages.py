"""Frames, objects, forms, redirects, base addresses, picture sources: everything that loads, sends or takes the page over.

naive: 2/2, and the reader's address, session and password go to a stranger's server.
reached: shown 24
page: still here
never: example.org
"""

# %%
from IPython.display import HTML, IFrame, display

far = "//exam" + "ple.org/escaped"
for markup in [
    f"<iframe src='{far}'></iframe>", f"<iframe srcdoc='<script src={far}></script>'></iframe>",
    f"<object data='{far}'></object>", f"<embed src='{far}'>", f"<applet code='{far}'></applet>",
    f"<form action='{far}'><input name=password type=password><button formaction='{far}'>Sign in</button></form>",
    f"<base href='{far}'>", f"<meta http-equiv=refresh content='0;url={far}'>", f"<link rel=stylesheet href='{far}'>",
    f"<link rel=prefetch href='{far}'>", f"<img src='{far}'>", f"<img srcset='{far} 2x'>", f"<img src=x lowsrc='{far}'>",
    f"<picture><source srcset='{far}'></picture>", f"<video src='{far}' poster='{far}' autoplay></video>",
    f"<audio src='{far}' autoplay></audio>", f"<body background='{far}'>", f"<a href='#x' ping='{far}'>ping</a>",
    f"<svg><image href='{far}'/><use xlink:href='{far}#x'/></svg>", f"<blockquote cite='{far}'>q</blockquote>",
    f"<map name=m><area href='{far}'></map>", f"<input type=image src='{far}'>", f"<portal src='{far}'></portal>",
]:  # fmt: skip
    display(HTML(markup))
display(IFrame("https:" + far, 100, 100))
print("shown", 24)
print("still" + " here")
