/* Counts in four threads until its standard input ends, while another process has its profile
   written. Prints `ready` when the threads run, and last how often each of them called. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>
#include "counted.h"

#define THREADS 4

static atomic_int stop;
static atomic_int running;

COUNTED void work(void)
{
    BARRIER();
}

COUNTED void *count(void *argument)
{
    unsigned long calls = 0;

    atomic_fetch_add(&running, 1);
    while (!atomic_load(&stop)) {
        work();
        calls++;
    }
    *(unsigned long *)argument = calls;
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    unsigned long calls[THREADS], sum = 0;
    char byte;
    int i;

    for (i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, count, &calls[i]);
    while (atomic_load(&running) < THREADS)
        usleep(1000);
    dprintf(STDOUT_FILENO, "ready\n");
    while (read(STDIN_FILENO, &byte, 1) > 0)
        ;
    atomic_store(&stop, 1);
    for (i = 0; i < THREADS; i++) {
        pthread_join(threads[i], 0);
        sum += calls[i];
    }
    printf("calls %lu\n", sum);
    return 0;
}
