/* Sends itself as many profiling signals as the arguments say, from two places: the bins of these
   places get a sample for each, without waiting for hundreds of seconds to pass. */
/*# arc main -> tick_by_raise ? */
/*# arc main -> tick_by_kill ? */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "../../../examples/c/counted.h"

COUNTED void tick_by_raise(void)
{
    raise(SIGPROF);
    BARRIER();
}

COUNTED void tick_by_kill(void)
{
    kill(getpid(), SIGPROF);
    BARRIER();
}

int main(int argc, char **argv)
{
    unsigned long by_raise = argc > 1 ? strtoul(argv[1], 0, 10) : 1000;
    unsigned long by_kill = argc > 2 ? strtoul(argv[2], 0, 10) : 1000;

    for (unsigned long i = 0; i < by_raise; i++)
        tick_by_raise();
    for (unsigned long i = 0; i < by_kill; i++)
        tick_by_kill();
    printf("main -> tick_by_raise %lu\n", by_raise);
    printf("main -> tick_by_kill %lu\n", by_kill);
    return 0;
}
