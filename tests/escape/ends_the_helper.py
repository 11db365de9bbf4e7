# Whoever is killed by this, the run must come to its end and say how.
import time
if os.fork() == 0:
    time.sleep(20)
for one in (1, 15, 9, 19):
    for process in (-1, 1, 0 if one == 18 else 1):
        try:
            os.kill(process, one)
        except OSError:
            pass
time.sleep(0.1)
finish()
