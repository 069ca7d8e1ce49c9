/* Threads that call the same two functions as fast as they can.
   Arguments: number of threads, calls per thread. */
/*# flags -pthread */
/*# arc <outside> -> worker ? */
/*# arc worker -> shared ? */
/*# arc shared -> leaf ? */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "../../../examples/c/counted.h"

static pthread_barrier_t start;

COUNTED void leaf(void)
{
    BARRIER();
}

COUNTED void shared(unsigned long call)
{
    if (call % 10 == 0)
        leaf();
    BARRIER();
}

COUNTED void *worker(void *argument)
{
    unsigned long calls = *(unsigned long *)argument;

    pthread_barrier_wait(&start);
    for (unsigned long call = 0; call < calls; call++)
        shared(call);
    return 0;
}

int main(int argc, char **argv)
{
    unsigned long threads = argc > 1 ? strtoul(argv[1], 0, 10) : 2;
    unsigned long calls = argc > 2 ? strtoul(argv[2], 0, 10) : 1000;
    pthread_t thread[threads];
    unsigned long i;

    pthread_barrier_init(&start, 0, (unsigned)threads);
    for (i = 0; i < threads; i++)
        pthread_create(&thread[i], 0, worker, &calls);
    for (i = 0; i < threads; i++)
        pthread_join(thread[i], 0);
    printf("<outside> -> worker %lu\n", threads);
    printf("worker -> shared %lu\n", threads * calls);
    printf("shared -> leaf %lu\n", threads * ((calls + 9) / 10));
    return 0;
}
