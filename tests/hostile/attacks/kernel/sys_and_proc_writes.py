"""Writes the kernel's settings: core_pattern, sysrq, a processor's switch, the module loader's path.

naive: root on the host, by core_pattern or modprobe.
uses: attempt
reached: 16 attempts, through: []
"""

# %%
for path in (
    "sys/kernel/core_pattern", "sys/kernel/modprobe", "sys/kernel/hostname",
    "sys/kernel/randomize_va_space", "sys/vm/overcommit_memory", "sys/vm/drop_caches", "sys/fs/file-max",
    "sys/user/max_user_namespaces", "sys/net/ipv4/ip_forward", "sysrq-trigger",
):  # fmt: skip
    attempt(path, lambda: os.open(f"/proc/{path}", os.O_WRONLY), 2)
for path in ("devices/system/cpu/cpu1/online", "devices/system/cpu/cpu0/cpufreq/scaling_governor", "power/state",
             "kernel/uevent_helper", "kernel/mm/transparent_hugepage/enabled"):  # fmt: skip
    attempt(path, lambda: os.open(f"/sys/{path}", os.O_WRONLY), 2)
attempt("next pid", lambda: os.write(os.open("/proc/sys/kernel/ns_last_pid", os.O_WRONLY), b"77"))
print(f"{len(tried)} attempts, through: {through}")
