"""A picture of 50 megapixels and one of 400, both of a few kilobytes, and one that lies about its size.

naive: 2/2, and a browser tab with 10 GB: a picture is decoded by whoever looks at it.
reached: bytes of pictures: True
page: A picture of 50 megapixels is left out
page: A picture of 400 megapixels is left out
never: data:image/png
"""

# %%
import base64, struct, zlib

from IPython.display import display


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def picture(width, height):
    rows = zlib.compressobj(9)
    packed = b"".join(rows.compress(bytes(width // 8 + 1) * 100) for _ in range(height // 100)) + rows.flush()
    header = chunk(b"IHDR", struct.pack(">2I5B", width, height, 1, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", packed) + chunk(b"IEND", b"")


pictures = [picture(10_000, 5_000), picture(20_000, 20_000)]
for each in pictures:
    display({"image/png": base64.b64encode(each).decode()}, raw=True)
display({"image/png": base64.b64encode(pictures[0][:16] + b"\xff" * 8 + pictures[0][24:]).decode()}, raw=True)
print("bytes of pictures:", sum(map(len, pictures)) < 600_000)
