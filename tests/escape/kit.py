# Not a program: put in front of every Python program here.
import ctypes, errno, os, sys
libc = ctypes.CDLL(None, use_errno=True)
ESCAPED = []
def syscall(number, *arguments):
    """The answer, or minus the error."""
    ctypes.set_errno(0)
    answer = libc.syscall(ctypes.c_long(number), *[a if isinstance(a, (bytes, ctypes._Pointer, ctypes.Array)) else ctypes.c_long(a) for a in arguments])
    return answer if answer >= 0 else -ctypes.get_errno()
def escaped(what):
    ESCAPED.append(what)
    print("ESCAPED", what, flush=True)
def must_fail(what, action):
    try:
        got = action()
    except OSError:
        return
    escaped(f"{what}: {got!r}")
def must_refuse(name, number, *arguments):
    answer = syscall(number, *arguments)
    if -answer not in (errno.EPERM, errno.ENOSYS, errno.EACCES):
        escaped(f"{name}: {answer}")
def finish():
    sys.stdout.flush()
    os._exit(1 if ESCAPED else 0)
