calls = {"ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312, "pidfd_getfd": 438, "process_madvise": 440,
         "bpf": 321, "perf_event_open": 298, "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "userfaultfd": 323,
         "keyctl": 250, "add_key": 248, "request_key": 249, "kexec_load": 246, "kexec_file_load": 320, "init_module": 175, "finit_module": 313,
         "delete_module": 176, "swapon": 167, "swapoff": 168, "acct": 163, "quotactl": 179, "reboot": 169, "settimeofday": 164,
         "clock_settime": 227, "adjtimex": 159, "clock_adjtime": 305, "iopl": 172, "ioperm": 173, "syslog": 103, "name_to_handle_at": 303,
         "open_by_handle_at": 304, "fanotify_init": 300, "lookup_dcookie": 212, "vhangup": 153, "modify_ldt": 154, "uselib": 134, "ustat": 136,
         "sysfs": 139, "_sysctl": 156, "nfsservctl": 180, "mbind": 237, "set_mempolicy": 238, "migrate_pages": 256, "move_pages": 279,
         "memfd_secret": 447, "shmget": 29, "semget": 64, "msgget": 68, "mq_open": 240, "remap_file_pages": 216, "setxattr": 188,
         "fsconfig": 431, "fsmount": 432, "quotactl_fd": 443, "set_mempolicy_home_node": 450, "cachestat": 451, "lsm_set_self_attr": 460,
         "x32 read": 0x40000000, "x32 getpid": 0x40000000 + 39, "of a later kernel": 600}
for name, number in calls.items():
    must_refuse(name, number, 0, 0, 0, 0, 0, 0)
for value in (0x0040000, 0x8, 0x0100000):
    must_refuse(f"personality {value:x}", 135, value)
for kind in (0o020000, 0o060000):
    must_refuse("mknod", 133, b"/tmp/device", kind | 0o666, 0x101)
    must_refuse("mknodat", 259, -100, b"/tmp/device", kind | 0o666, 0x101)
for request in (0x5412, 0x541c):
    for fd in (0, 1, 2):
        must_refuse(f"ioctl {request:x}", 16, fd, request, b"x")
finish()
