/* The first process of a machine that somebody else has taken over: it answers as ours would, and says
   anything on the wire. Built and started by `hostile.rs`. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/syscall.h>
#include <unistd.h>

static int wait_for(const char *name, int flags) {
    for (int tries = 0; tries < 2000; tries++) {
        int file = open(name, flags);
        if (file >= 0) return file;
        usleep(5000);
    }
    return -1;
}

static void say(int port, uint32_t kind, const void *bytes, uint64_t length) {
    char frame[64];
    memcpy(frame, &kind, 4);
    memcpy(frame + 4, &length, 8);
    memcpy(frame + 12, bytes, length);
    (void)!write(port, frame, 12 + length);
}

int main(void) {
    mount("dev", "/dev", "devtmpfs", 0, "");
    for (int number = 0; number < 16; number++) {
        char name[32];
        snprintf(name, sizeof name, "/modules/%02d", number);
        int module = open(name, O_RDONLY);
        if (module < 0) break;
        syscall(SYS_finit_module, module, "", 0);
        close(module);
    }
    int port = wait_for("/dev/vport0p1", O_WRONLY);
    uint32_t landlock = 4;
    say(port, 1, &landlock, 4);
    int disk = open("/dev/vda", O_RDONLY);
    if (disk < 0) {
        say(port, 8, "", 0);
        reboot(RB_AUTOBOOT);
    }
    say(port, 2, "", 0);
    int wire = wait_for("/dev/vport0p2", O_RDWR);
    unsigned char noise[4096];
    uint32_t state = 1;
    for (;;) {
        for (unsigned place = 0; place < sizeof noise; place++) {
            state = state * 1664525 + 1013904223;
            noise[place] = state >> 24;
        }
        if (write(wire, noise, sizeof noise) < 0) usleep(10000);
    }
}
