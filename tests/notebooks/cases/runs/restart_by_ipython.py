"""The recipe of Colab: IPython.Application.instance().kernel.do_shutdown(True). There is no kernel of that kind here.

sees: Cell 3 raised
"""

# %% before q1-answer
import IPython
IPython.Application.instance().kernel.do_shutdown(True)
