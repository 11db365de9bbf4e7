status = dict(line.split(":\t", 1) for line in open("/proc/self/status").read().splitlines() if ":\t" in line)
for name in ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"]:
    if int(status[name], 16):
        escaped(f"{name} {status[name]}")
if status["NoNewPrivs"] != "1" or status["Seccomp"] != "2":
    escaped(f"{status['NoNewPrivs']} {status['Seccomp']}")
if 0 in os.getresuid() + os.getresgid() or 0 in os.getgroups():
    escaped(f"{os.getresuid()} {os.getgroups()}")
for name in ["setuid", "setgid", "seteuid", "setegid"]:
    must_fail(name, lambda: getattr(os, name)(0))
must_fail("setresuid", lambda: os.setresuid(0, 0, 0))
must_fail("setgroups", lambda: os.setgroups([0]))
must_refuse("capset", 126, (ctypes.c_uint * 2)(0x20080522, 0), (ctypes.c_uint * 6)(*[0xffffffff] * 6))
PR_SET_KEEPCAPS, PR_SET_SECUREBITS, PR_SET_MM, PR_SET_PTRACER, PR_CAP_AMBIENT = 8, 28, 35, 0x59616d61, 47
for option in (PR_SET_KEEPCAPS, PR_SET_SECUREBITS, PR_SET_MM, PR_SET_PTRACER, PR_CAP_AMBIENT):
    must_refuse(f"prctl {option}", 157, option, 2, 0, 0, 0)
syscall(157, 38, 0, 0, 0, 0)
if "NoNewPrivs:\t1" not in open("/proc/self/status").read():
    escaped("new privileges can be had again")
for folder, _, files in os.walk("/usr"):
    for name in files:
        mode = os.lstat(os.path.join(folder, name)).st_mode
        if mode & 0o6000 and not (os.statvfs(folder).f_flag & os.ST_NOSUID):
            escaped(f"{folder}/{name} changes the user")
import resource
for limit in ["RLIMIT_NPROC", "RLIMIT_FSIZE", "RLIMIT_CPU", "RLIMIT_CORE", "RLIMIT_NOFILE"]:
    try:
        resource.setrlimit(getattr(resource, limit), (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        escaped(limit)
    except (ValueError, OSError):
        pass
must_fail("real time", lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)))
must_fail("nice", lambda: os.setpriority(os.PRIO_PROCESS, 0, -5))
finish()
