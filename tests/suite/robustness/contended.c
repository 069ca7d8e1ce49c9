/* Threads that share functions and a lock, for programs that look for mistakes in such programs. */
#include <pthread.h>
#include "counted.h"

#define ROUNDS 5
#define THREADS 4
#define CALLS 5000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

COUNTED void work(void)
{
    BARRIER();
}

COUNTED void locked_work(void)
{
    BARRIER();
}

COUNTED void *run(void *unused)
{
    int i;

    (void)unused;
    for (i = 0; i < CALLS; i++) {
        work();
        if (i % 10 == 0) {
            pthread_mutex_lock(&lock);
            locked_work();
            pthread_mutex_unlock(&lock);
        }
    }
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    int i, round;

    for (round = 0; round < ROUNDS; round++) {
        for (i = 0; i < THREADS; i++)
            pthread_create(&threads[i], 0, run, 0);
        for (i = 0; i < THREADS; i++)
            pthread_join(threads[i], 0);
    }
    return 0;
}
