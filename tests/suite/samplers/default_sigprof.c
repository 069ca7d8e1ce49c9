/* Counts, then meets the default action of SIGPROF in the way its argument names, or another end that a sampler
   could change. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include "counted.h"

COUNTED void work(void) { BARRIER(); }

static void handler(int signal) { (void)signal; }

static void compute(void)
{
    volatile unsigned long i;

    for (i = 0; i < 4000000000; i++)
        ;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    struct itimerval limit = {{0, 0}, {0, 50000}}, none = {{0, 0}, {0, 0}}, old = limit;
    struct itimerspec soon = {{0, 0}, {0, 50000000}};
    struct sigevent event;
    sigset_t set;
    timer_t timer;
    int i;

    for (i = 0; i < 9; i++)
        work();
#define IS(text) (strcmp(how, text) == 0)
    if (IS("raise"))
        raise(SIGPROF);
    if (IS("kill")) {
        kill(getpid(), SIGPROF);
        pause();
    }
    if (IS("default, raise")) {
        if (signal(SIGPROF, SIG_DFL) != SIG_DFL)
            return 100;
        raise(SIGPROF);
    }
    if (IS("handled before")) {
        if (signal(SIGPROF, handler) != SIG_DFL)
            return 100;
        raise(SIGPROF);
        if (signal(SIGPROF, SIG_DFL) != handler)
            return 101;
        raise(SIGPROF);
    }
    if (IS("blocked")) {
        sigemptyset(&set);
        sigaddset(&set, SIGPROF);
        sigprocmask(SIG_BLOCK, &set, 0);
        raise(SIGPROF);
        sigprocmask(SIG_UNBLOCK, &set, 0);
    }
    if (IS("limit")) {
        if (getitimer(ITIMER_PROF, &old) != 0 || memcmp(&old, &none, sizeof none) != 0)
            return 100;
        old = limit;
        if (setitimer(ITIMER_PROF, &none, &old) != 0 || memcmp(&old, &none, sizeof none) != 0)
            return 101;
        old = limit;
        if (setitimer(ITIMER_PROF, &limit, &old) != 0 || memcmp(&old, &none, sizeof none) != 0)
            return 102;
        if (getitimer(ITIMER_PROF, &old) != 0 || memcmp(&old, &none, sizeof none) == 0)
            return 103;
        compute();
    }
    if (IS("timer")) {
        memset(&event, 0, sizeof event);
        event.sigev_notify = SIGEV_SIGNAL;
        event.sigev_signo = SIGPROF;
        timer_create(CLOCK_MONOTONIC, &event, &timer);
        timer_settime(timer, 0, &soon, 0);
        for (;;)
            pause();
    }
    if (IS("ignored from the start")) {
        raise(SIGPROF);
        if (signal(SIGPROF, SIG_IGN) != SIG_IGN)
            return 100;
        return 5;
    }
    if (IS("last thread"))
        syscall(SYS_exit, 7);
    return 2;
}
