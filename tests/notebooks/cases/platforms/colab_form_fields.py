"""Values set by Colab's form fields.
"""

# %% q4-answer
#@title Ridge { run: "auto", display-mode: "form" }
peak_teraflops = 2.0 #@param {type:"number"}
kind = "memory" #@param ["memory", "compute"]
ridge = peak_teraflops * 1e12 / BANDWIDTH
