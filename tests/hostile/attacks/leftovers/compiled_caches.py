"""Poisons the caches of compiled programs: Inductor's, Triton's, torch extensions', matplotlib's fonts, ccache.

naive: 2/2 for the next, whose compiled function is then the planted one.
reached: poisoned 6
"""

# %%
import getpass, os, pathlib

caches = {
    os.environ.get("TORCHINDUCTOR_CACHE_DIR") or f"/tmp/torchinductor_{getpass.getuser()}",
    os.environ.get("TRITON_CACHE_DIR") or os.path.expanduser("~/.triton/cache"),
    os.environ.get("TORCH_EXTENSIONS_DIR") or os.path.expanduser("~/.cache/torch_extensions"),
    os.environ["MPLCONFIGDIR"], os.environ["XDG_CACHE_HOME"] + "/fontconfig", os.path.expanduser("~/.ccache"),
}  # fmt: skip
poisoned = 0
for cache in caches:
    for folder, _, names in [*os.walk(cache)]:
        for name in names:
            try:
                pathlib.Path(folder, name).write_bytes(b"escaped")
            except OSError:
                pass
    pathlib.Path(cache).mkdir(parents=True, exist_ok=True)
    pathlib.Path(cache, "escaped.so").write_bytes(b"escaped")
    poisoned += 1
print("poisoned", poisoned)

# %% next
import os, pathlib

found = []
for top in ("/tmp", os.path.expanduser("~"), os.environ.get("TORCHINDUCTOR_CACHE_DIR", "/tmp"), "/opt", "/var"):
    for folder, _, names in os.walk(top):
        for name in names:
            try:
                found += [name] * ("escaped" in name or b"escaped" in pathlib.Path(folder, name).read_bytes()[:100])
            except OSError:
                pass
print(found)
