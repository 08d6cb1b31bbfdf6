"""Attributes in an output's metadata: sizes, alternative texts and kinds that break out of the tag that they go into.

naive: 2/2, and a handler in the page: nbconvert writes width and height as they come.
reached: shown
page: data:image/png
"""

# %%
import base64, struct, zlib

from IPython.display import display


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


dot = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", 1, 1, 8, 0, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b"")
out = '1" onl' + 'oad="escaped(1)'
metadata = {"image/png": {"width": out, "height": [out], "alt": out, out: out, "isolated": True}, "isolated": True, out: out}
display({"image/png": base64.b64encode(dot).decode(), "text/html " + out: "x"}, metadata=metadata, raw=True)
display({"image/jpeg": base64.b64encode(dot).decode() + out}, metadata={"image/jpeg": {"width": 10**30}}, raw=True)
print("sho" + "wn")
