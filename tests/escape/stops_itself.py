# expect: time_limit
import signal
os.kill(os.getpid(), signal.SIGSTOP)
finish()
