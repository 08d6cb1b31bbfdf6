"""Looks at the jail's first process, which came from outside, through /proc: memory, descriptors, root, environment.

naive: 2/2, a supervisor of the same user shows its environment and its files there.
reached: the keeper's powers: []
reached: the keeper's secrets: []
reached: in its memory: 0
reached: paths of another world in its command line: []
"""

# %%
import os, re


def seen(look):
    """What there is to see; nothing, where the keeper is another user and looking is refused."""
    try:
        return look()
    except PermissionError:
        return None


status = dict(line.split(":\t", 1) for line in open("/proc/1/status").read().splitlines() if ":\t" in line)
powers = [name for name in ("CapInh", "CapPrm", "CapEff", "CapAmb") if int(status[name], 16)]
powers += [name for name, due in (("NoNewPrivs", "1"), ("Seccomp", "2")) if status[name] != due]
powers += ["another root"] * (seen(lambda: os.stat("/proc/1/root/")) not in (None, os.stat("/")))
print("the keeper's powers:", powers)

links = seen(lambda: [seen(lambda: os.readlink(f"/proc/1/fd/{name}")) for name in os.listdir("/proc/1/fd")]) or []
known = re.compile(r"/dev/null|/memfd:stderr \(deleted\)|anon_inode:\[eventfd\]|pipe:.*")
secrets = [link for link in links if not known.fullmatch(link or "/dev/null")]
secrets += [seen(lambda: open("/proc/1/environ").read())] * bool(seen(lambda: open("/proc/1/environ").read()))
print("the keeper's secrets:", secrets)


def memory():
    with open("/proc/1/mem", "rb") as file:
        for line in open("/proc/1/maps").read().splitlines():
            first, last = (int(number, 16) for number in line.split()[0].split("-"))
            if " rw" in line:
                try:
                    file.seek(first)
                    yield file.read(last - first)
                except OSError:
                    pass


needle = "RIDGEPOINT" + "_S"
print("in its memory:", sum(needle.encode() in part for part in seen(lambda: list(memory())) or []))
arguments = open("/proc/1/cmdline").read().split("\0")[1:]
print("paths of another world in its command line:", [argument for argument in arguments if argument.startswith("/") and not os.path.exists(argument)])
