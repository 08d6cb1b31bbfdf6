"""Markdown and raw cells with HTML in them, links that run, attachments that are pages, and comments that are none.

naive: 2/2, cells of text are never executed, so nobody suspects them, and nbconvert passes raw ones through.
reached: these cells ran
page: A heading
never: <script
"""

# %% [markdown]
# # A heading <script>escaped(1)</script>
# [link](javascript:escaped(1)) <img src=x onerror=escaped(1)> ![p](javascript:escaped(1)) <javascript:escaped(1)>
# [ref] ![x](attachment:page.html) <a href="data:text/html;base64,PHNjcmlwdD4=">d</a> <iframe src="//example.org"></iframe>
# [two](https://example.org" onmouseover="escaped(1)) ![three](x "a" onload="escaped(1))
#
# <!--[if IE]><script>escaped(1)</script><![endif]-->
# <details open ontoggle=escaped(1)>x</details>
#
# [ref]: javascript:escaped(1)

# %% [markdown]
# $$\href{javascript:escaped(1)}{x}$$ $</script><script>escaped(1)</script>$ `<script>` \(\style{background:url(//example.org)}{x}\)
#
# ```html
# </code></pre><script>escaped(1)</script>
# ```

# %% [raw]
# <script>escaped(1)</script><img src=x onerror=escaped(1)>

# %%
print("these cells" + " ran")
