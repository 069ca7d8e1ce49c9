/* Waits that a signal would end: naps MILLISECONDS. Says which of them ended early. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

static long milliseconds;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void check(const char *call, int result, double begun) {
    /* Some clocks are coarser than others. */
    if (result != 0 || now() - begun < milliseconds / 1e3 - 0.005) printf("%s: %d\n", call, result);
}

#define WAIT(name, call)                                   \
    __attribute__((noinline)) static void in_##name(void) { \
        double begun = now();                              \
        int result = call;                                 \
        check(#name, result, begun);                       \
    }

static int epoll_for(int timeout) {
    struct epoll_event event;
    int events = epoll_create1(0), result = epoll_wait(events, &event, 1, timeout);
    close(events);
    return result;
}

static int select_for(long microseconds) {
    struct timeval time = {microseconds / 1000000, microseconds % 1000000};
    return select(0, NULL, NULL, NULL, &time);
}

WAIT(usleep, usleep(milliseconds * 1000))
WAIT(poll, poll(NULL, 0, milliseconds))
WAIT(select, select_for(milliseconds * 1000))
WAIT(epoll, epoll_for(milliseconds))

int main(int argc, char **argv) {
    milliseconds = argc > 1 ? atol(argv[1]) : 300;
    in_usleep();
    in_poll();
    in_select();
    in_epoll();
    puts("done");
    return 0;
}
