/* Sends itself as many profiling signals as the arguments say, each as the kernel's timer would, from two places:
   the bins of these places get a sample for each, without waiting for hundreds of seconds to pass. */
/*# arc main -> tick ? */
/*# arc main -> tick_elsewhere ? */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "../../../examples/c/counted.h"

static siginfo_t info = { .si_signo = SIGPROF, .si_code = SI_KERNEL };
static pid_t self;

/* A process may tell itself any sender. */
#define TICK()                                                                                   \
    do {                                                                                         \
        long result = SYS_rt_sigqueueinfo;                                                       \
        __asm__ volatile("syscall"                                                               \
                         : "+a"(result)                                                          \
                         : "D"((long)self), "S"((long)SIGPROF), "d"(&info)                       \
                         : "rcx", "r11", "memory");                                              \
        if (result != 0)                                                                         \
            abort();                                                                             \
    } while (0)

COUNTED void tick(void)
{
    TICK();
}

COUNTED void tick_elsewhere(void)
{
    TICK();
}

int main(int argc, char **argv)
{
    unsigned long here = argc > 1 ? strtoul(argv[1], 0, 10) : 1000;
    unsigned long elsewhere = argc > 2 ? strtoul(argv[2], 0, 10) : 1000;

    self = getpid();
    for (unsigned long i = 0; i < here; i++)
        tick();
    for (unsigned long i = 0; i < elsewhere; i++)
        tick_elsewhere();
    printf("main -> tick %lu\n", here);
    printf("main -> tick_elsewhere %lu\n", elsewhere);
    return 0;
}
