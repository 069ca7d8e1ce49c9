/* Ten thousand threads come and go while two count all the time. Each counts from four places, and
   once more when its thread-specific data are destroyed.
   Prints what the two have counted: `counter work CALLS`. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include "counted.h"

#ifndef THREADS
#define THREADS 10000
#endif
#define ALIVE 25
#define COUNTERS 2

static pthread_key_t key;
static atomic_int stop;

COUNTED void work(void)
{
    BARRIER();
}

COUNTED void destroy(void *unused)
{
    (void)unused;
    work();
    BARRIER();
}

COUNTED void *visitor(void *argument)
{
    pthread_setspecific(key, argument);
    work();
    work();
    work();
    work();
    BARRIER();
    return 0;
}

COUNTED void *counter(void *argument)
{
    unsigned long calls = 0;

    while (!atomic_load(&stop)) {
        work();
        calls++;
    }
    *(unsigned long *)argument = calls;
    return 0;
}

int main(void)
{
    pthread_t counters[COUNTERS], visitors[ALIVE];
    unsigned long calls[COUNTERS];
    int i, j;

    pthread_key_create(&key, destroy);
    for (i = 0; i < COUNTERS; i++)
        pthread_create(&counters[i], 0, counter, &calls[i]);
    for (i = 0; i < THREADS / ALIVE; i++) {
        for (j = 0; j < ALIVE; j++)
            if (pthread_create(&visitors[j], 0, visitor, &key) != 0)
                return 1;
        for (j = 0; j < ALIVE; j++)
            pthread_join(visitors[j], 0);
    }
    atomic_store(&stop, 1);
    for (i = 0; i < COUNTERS; i++)
        pthread_join(counters[i], 0);
    printf("counter work %lu\n", calls[0] + calls[1]);
    return 0;
}
