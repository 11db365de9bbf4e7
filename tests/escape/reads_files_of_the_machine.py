for path in ["/etc/shadow", "/etc/machine-id", "/etc/ssh", "/etc/resolv.conf", "/root", "/home", "/var", "/run", "/boot", "/sys",
             "/usr/bin/env", "/usr/bin/sh", "/bin/sh", "/bin/bash", "/usr/sbin", "/.machine", "/proc/kallsyms", "/proc/sys", "/proc/cmdline",
             "/proc/1/root/etc/shadow", "/proc/self/root/../../etc/shadow", "/proc/self/cwd/../../../etc/shadow", "/in/../etc/shadow",
             "/proc/kcore", "/proc/keys", "/proc/mounts/x", "/dev/mem", "/dev/kmem", "/dev/kvm", "/dev/tty", "/dev/console", "/dev/ptmx",
             "/dev/sda", "/dev/vda", "/dev/loop0", "/dev/fuse", "/dev/net/tun", "/dev/vsock", "/dev/dri", "/dev/kmsg"]:
    # A folder on the way to the runtime is there, with nothing else in it.
    if os.path.isdir(path) and path in ("/root", "/home", "/var", "/run"):
        inside = [os.path.join(r, f) for r, _, fs in os.walk(path) for f in fs if not r.startswith(sys.prefix)]
        if inside:
            escaped(f"{path}: {inside[:3]}")
    else:
        must_fail(path, lambda: os.listdir(path) if os.path.isdir(path) else open(path, "rb").read(10))
for name in os.listdir("/"):
    if name not in {"bin", "code", "dev", "etc", "home", "in", "lib", "lib64", "out", "proc", "root", "tmp", "usr", "opt", "nix"}:
        escaped(f"/{name}")
for name in os.listdir("/etc"):
    if name not in {"passwd", "group", "hosts", "hostname", "nsswitch.conf", "ld.so.cache", "alternatives"} and not name.startswith("python"):
        escaped(f"/etc/{name}")
if "root" in open("/etc/passwd").read():
    escaped("the users of the machine")
finish()
