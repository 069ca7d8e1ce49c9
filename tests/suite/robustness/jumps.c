/* Jumps out of signal handlers, every 100 microseconds, from wherever they interrupted the program,
   also from inside a hook. A call that is interrupted in its hook may or may not be counted; no other
   may be lost. Prints how many calls were begun and how many came back. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include "places.h"

#define JUMPS 3000

static sigjmp_buf back;
static volatile unsigned long begun, finished, jumps;

COUNTED void on_alarm(int signal)
{
    (void)signal;
    jumps++;
    siglongjmp(back, 1);
}

COUNTED void run(void)
{
    for (;;) {
        unsigned long place = begun++;

        from_place(place);
        finished++;
    }
}

int main(void)
{
    struct itimerval every = {{0, 100}, {0, 100}}, never = {{0, 0}, {0, 0}};
    struct sigaction action = {.sa_handler = on_alarm};

    sigaction(SIGALRM, &action, 0);
    /* No signal may come before there is a place to jump to. */
    if (!sigsetjmp(back, 1))
        setitimer(ITIMER_REAL, &every, 0);
    if (jumps < JUMPS)
        run();
    setitimer(ITIMER_REAL, &never, 0);
    signal(SIGALRM, SIG_IGN);
    printf("begun %lu\nfinished %lu\njumps %lu\n", begun, finished, jumps);
    return 0;
}
