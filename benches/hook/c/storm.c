/* Threads that call shared functions at the same time: storm THREADS CALLS
 *
 * Prints "NANOSECONDS CALLS": the time from the common start to the end of the last thread, and the
 * calls made by all of them. Not instrumented itself: a profile must hold exactly these calls. */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"

long leaf(long), shared(long);

static pthread_barrier_t start;
static long calls_per_thread;

static void *work(void *unused)
{
    (void)unused;
    long sum = 0;
    pthread_barrier_wait(&start);
    for (long i = 0; i < calls_per_thread; i += 4)
        sum += leaf(i) + shared(i) + leaf(i) + shared(i);
    return (void *)sum;
}

int main(int argc, char **argv)
{
    int threads = argc == 3 ? atoi(argv[1]) : 0;
    if (threads < 1) {
        fprintf(stderr, "usage: storm THREADS CALLS\n");
        return 2;
    }
    calls_per_thread = atol(argv[2]) & ~3L;

    pthread_t *thread = calloc(threads, sizeof *thread);
    pthread_barrier_init(&start, NULL, threads + 1);
    for (int i = 0; i < threads; i++)
        if (thread == NULL || pthread_create(&thread[i], NULL, work, NULL) != 0) {
            fprintf(stderr, "storm: cannot create %d threads\n", threads);
            return 1;
        }
    double begin = now();
    pthread_barrier_wait(&start);
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    printf("%.0f %ld\n", now() - begin, threads * calls_per_thread);
    return 0;
}
