"""Archives that unpack to gigabytes, as pictures, as an output of a kind of their own, and as a text that is one.

naive: 2/2, and whatever opens the notebook next unpacks them.
reached: gigabytes in 4 outputs
page: is left out
never: UEsDB
"""

# %%
import base64, gzip, io, zipfile

from IPython.display import display

inner = io.BytesIO()
with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr("escaped", bytes(20_000_000))
outer = io.BytesIO()
with zipfile.ZipFile(outer, "w") as archive:
    for number in range(50):
        archive.writestr(f"{number}.zip", inner.getvalue()[:20_000])
packed = base64.b64encode(outer.getvalue()).decode()[:900_000]
packed = packed[: len(packed) // 4 * 4]
for kind in ("image/png", "image/jpeg", "application/zip", "application/gzip"):
    display({kind: packed}, raw=True)
print("gigabytes in", 4, "outputs")
