flags = {"ns": 0x20000, "cgroup": 0x2000000, "uts": 0x4000000, "ipc": 0x8000000, "user": 0x10000000, "pid": 0x20000000, "net": 0x40000000, "time": 0x80}
for name, flag in flags.items():
    must_refuse(f"unshare {name}", 272, flag)
    must_refuse(f"clone {name}", 56, flag | 17, 0, 0, 0, 0)
    must_refuse(f"clone {name} with user", 56, flag | 0x10000000 | 17, 0, 0, 0, 0)
    # The upper half of the flags is none of the kernel's business, and must not hide the lower.
    must_refuse(f"clone {name} high", 56, flag | 17 | (1 << 40), 0, 0, 0, 0)
arguments = (ctypes.c_ulonglong * 11)(0x10000000, 0, 0, 0, 17)
must_refuse("clone3", 435, arguments, 88)
fd = os.open("/proc/self/ns/user", os.O_RDONLY)
must_refuse("setns", 308, fd, 0)
for name, number, given in [
    ("mount", 165, (b"tmpfs", b"/tmp", b"tmpfs", 0, 0)), ("remount", 165, (b"", b"/", b"", 32 | 4096, 0)),
    ("bind", 165, (b"/proc", b"/tmp", b"", 4096, 0)), ("umount", 166, (b"/proc", 2)), ("pivot_root", 155, (b"/tmp", b"/tmp")),
    ("chroot", 161, (b"/tmp",)), ("open_tree", 428, (-100, b"/", 1)), ("move_mount", 429, (-100, b"/tmp", -100, b"/out", 0)),
    ("fsopen", 430, (b"tmpfs", 0)), ("fspick", 433, (-100, b"/", 0)), ("mount_setattr", 442, (-100, b"/", 0, bytes(32), 32)),
    ("sethostname", 170, (b"x", 1)), ("setdomainname", 171, (b"x", 1)),
]:
    must_refuse(name, number, *given)
finish()
