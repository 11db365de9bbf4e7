fds = sorted(int(name) for name in os.listdir("/proc/self/fd"))
# The last one is the listing itself.
if fds[:3] != [0, 1, 2] or len(fds) > 4:
    escaped(f"descriptors {fds}")
for fd in range(3, 1024):
    try:
        got = os.readlink(f"/proc/self/fd/{fd}")
    except OSError:
        continue
    if not got.startswith("/proc/"):
        escaped(f"{fd} {got}")
for name in os.environ:
    if name not in {"PATH", "HOME", "TMPDIR", "USER", "LANG", "PYTHONDONTWRITEBYTECODE", "PYTHONUTF8", "HOST_PORT", "HOST_SOCKET", "LC_CTYPE"}:
        escaped(f"variable {name}")
if os.getsid(0) != os.getpid() and os.getsid(0) == 0:
    escaped("the session of somebody outside")
must_fail("a terminal", lambda: os.open("/dev/tty", os.O_RDWR))
if os.isatty(0) or os.isatty(1) or os.isatty(2):
    escaped("a terminal")
finish()
