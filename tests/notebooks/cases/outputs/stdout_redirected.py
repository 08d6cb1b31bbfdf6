"""sys.stdout is replaced and never put back."""

# %% before q1-answer
import io, sys
sys.stdout = sys.stderr = io.StringIO()
sys.__stdout__.close()

# %% end
sys.stdout = None
