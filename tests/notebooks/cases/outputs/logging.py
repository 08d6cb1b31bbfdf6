"""logging set up for everything, down to debug messages, with a file.

"""

# %% before given
import logging, sys
logging.basicConfig(level=logging.DEBUG, stream=sys.stdout, force=True)
logging.getLogger().addHandler(logging.FileHandler("lab.log"))
logging.debug("begin")
