import socket, struct
def reach(address, family=socket.AF_INET, kind=socket.SOCK_STREAM):
    with socket.socket(family, kind) as s:
        s.settimeout(2)
        s.connect(address)
        return s.send(b"x")
port = int(os.environ.get("HOST_PORT", "22"))
for host in ["127.0.0.1", "127.1.2.3", "0.0.0.0", "1.1.1.1", "8.8.8.8", "10.0.0.1", "169.254.169.254", "192.168.0.1"]:
    for p in {port, 53, 80}:
        must_fail(f"tcp {host}:{p}", lambda: reach((host, p)))
        must_fail(f"udp {host}:{p}", lambda: reach((host, p), kind=socket.SOCK_DGRAM))
for host in ["::1", "::", "fe80::1", "2606:4700:4700::1111"]:
    must_fail(f"tcp {host}", lambda: reach((host, port), socket.AF_INET6))
must_fail("a name", lambda: socket.gethostbyname("example.org"))
must_fail("the machine's abstract socket", lambda: reach(b"\0" + os.environ.get("HOST_SOCKET", "x").encode(), socket.AF_UNIX))
for path in ["/run/docker.sock", "/var/run/docker.sock", "/run/dbus/system_bus_socket", "/run/systemd/private", "/tmp/.X11-unix/X0"]:
    must_fail(path, lambda: reach(path, socket.AF_UNIX))
families = {"packet": 17, "vsock": 40, "alg": 38, "bluetooth": 31, "can": 29, "xdp": 44, "key": 15, "rds": 21, "tipc": 30, "qipcrtr": 42}
for name, family in families.items():
    for kind in (1, 2, 3, 5):
        must_fail(f"{name} {kind}", lambda: socket.socket(family, kind))
# With netlink a program may ask for the devices of its own network, and for nothing else.
for protocol in range(1, 32):
    for kind in (2, 3):
        must_fail(f"netlink {kind} {protocol}", lambda: socket.socket(16, kind, protocol))
def ordered(message, flags):
    """The error that the kernel answers an order with; it looks at who asks before it reads the rest."""
    with socket.socket(16, 3, 0) as s:
        s.settimeout(2)
        s.bind((0, 0))
        s.send(struct.pack("=IHHII", 80, message, flags, 1, 0) + b"\0" * 64)
        return -struct.unpack_from("=i", s.recv(65536), 16)[0]
# Of four messages one makes, one takes away, one asks, and one changes.
for message in (number for number in range(16, 124) if number % 4 != 2):
    for flags in (5, 0x605):
        answer = ordered(message, flags)
        if answer not in (errno.EPERM, errno.EOPNOTSUPP):
            escaped(f"order {message} to the network: {answer}")
for family in (socket.AF_INET, socket.AF_INET6):
    for kind in (socket.SOCK_RAW, 4, 6, 10):
        must_fail(f"raw {family} {kind}", lambda: socket.socket(family, kind, 255))
        must_fail(f"multipath {family}", lambda: socket.socket(family, socket.SOCK_STREAM, 262))
        must_fail(f"sctp {family}", lambda: socket.socket(family, socket.SOCK_STREAM, 132))
        must_fail(f"ping {family}", lambda: socket.socket(family, socket.SOCK_DGRAM, 1))
        must_fail(f"raw {family} {kind} flags", lambda: socket.socket(family, kind | socket.SOCK_NONBLOCK, 1))
finish()
