"""Sliders: ipywidgets is not among the lab's packages on every machine; where it is, nothing moves them.
"""

# %% before q1-answer
try:
    import ipywidgets
    from IPython.display import display
    slider = ipywidgets.IntSlider(value=3)
    display(slider)
    @ipywidgets.interact(n=(0, 10))
    def show(n):
        print(n)
    n = slider.value
except ImportError:
    n = 3
