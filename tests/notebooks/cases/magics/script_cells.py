"""Cells in JavaScript, HTML, LaTeX and SVG show something; one in Ruby can't run here.

shows: Couldn't find program: 'ruby'
"""

# %% before given
%%javascript
console.log(1)

# %% after given
%%html
<b>bold</b>
<script>alert(1)</script>

# %% before q1-answer
%%latex
$x$

# %% before q1-answer
%%ruby
puts 1
