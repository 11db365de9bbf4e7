# The first process inside belongs to the gate: what it may use is not the program's to say.
import resource
for kind in ("RLIMIT_CPU", "RLIMIT_NOFILE", "RLIMIT_FSIZE", "RLIMIT_STACK", "RLIMIT_AS"):
    must_fail(kind, lambda: resource.prlimit(1, getattr(resource, kind), (0, 0)))
# Reading them, and lowering one's own, is everybody's business.
resource.prlimit(1, resource.RLIMIT_NOFILE)
resource.prlimit(0, resource.RLIMIT_CORE, (0, 0))
resource.setrlimit(resource.RLIMIT_NOFILE, (512, 1024))
finish()
