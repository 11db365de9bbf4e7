import time
child = os.fork()
if child == 0:
    time.sleep(20)
    os._exit(0)
for process in (1, child, os.getppid()):
    must_refuse(f"attach {process}", 101, 16, process, 0, 0)
    must_refuse(f"seize {process}", 101, 0x4206, process, 0, 0)
for name in ("mem", "environ", "maps", "fd", "root", "cwd", "exe", "ns/mnt", "task/1/mem", "fdinfo"):
    path = f"/proc/1/{name}"
    must_fail(path, lambda: os.listdir(path) if name.startswith("fd") else (os.readlink(path) if name in ("root", "cwd", "exe", "ns/mnt") else open(path, "rb").read(1)))
must_fail("memory of a child", lambda: os.open(f"/proc/{child}/mem", os.O_RDWR))
others = [name for name in os.listdir("/proc") if name.isdigit() and int(name) not in (1, os.getpid(), child)]
if others:
    escaped(f"processes {others}")
os.kill(child, 9)
finish()
