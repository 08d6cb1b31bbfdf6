"""Results are written beside the notebook, into a folder, to the home directory and to /tmp."""

# %% end
import json, os, pathlib
json.dump({"total": total}, open("results.json", "w"))
pathlib.Path("out").mkdir()
pathlib.Path("out/ridge.txt").write_text(str(ridge))
pathlib.Path("~/notes.txt").expanduser().write_text("x")
pathlib.Path("/tmp/notes.txt").write_text("x")
assert os.path.exists("results.json")
