import ctypes, errno, os, platform

libc = ctypes.CDLL(None, use_errno=True)
tried, through = [], []


def attempt(name, call, *more):
    """Note what the wall let through: a call that worked, or one that failed for another reason than the wall."""
    tried.append(name)
    ctypes.set_errno(0)
    try:
        number = ctypes.get_errno() if call() == -1 else 0
    except OSError as error:
        number = error.errno
    if number not in (errno.EPERM, errno.EACCES, errno.EROFS, errno.ENOSYS, *more):
        through.append(f"{name}: {errno.errorcode.get(number, 'it worked')}")


def syscall(x86_64, aarch64, *arguments):
    number = {"x86_64": x86_64, "aarch64": aarch64}[platform.machine()]
    return libc.syscall(ctypes.c_long(number), *(ctypes.c_long(a) if isinstance(a, int) else a for a in arguments))
