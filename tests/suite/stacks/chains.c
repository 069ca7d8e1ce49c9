/* Chains of calls that are new each time: so the tree of stacks grows until its limit. A thread that begins after that
 * does some work, too.
 * Usage: chains MILLISECONDS */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define NOINLINE __attribute__((noinline, noclone))
#define THREADS 3
#define DEPTH 900
/* Milliseconds that the last thread needs. */
#define LATE 300

static volatile double sum;
static long milliseconds;

NOINLINE void work(int times)
{
    for (int i = 0; i < times; i++)
        sum += i * 0.5;
}

static unsigned long next(unsigned long *random)
{
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return *random;
}

/* One of sixteen calls each time, so that a chain of a hundred calls is never the same twice. */
#define CALL(n)                                                                                    \
    case n:                                                                                        \
        chain(depth - 1, random);                                                                  \
        sum += n;                                                                                  \
        break;

NOINLINE void chain(int depth, unsigned long *random)
{
    if (depth == 0) {
        work(300000);
        return;
    }
    switch (next(random) >> 20 & 15) {
        CALL(0) CALL(1) CALL(2) CALL(3) CALL(4) CALL(5) CALL(6) CALL(7)
        CALL(8) CALL(9) CALL(10) CALL(11) CALL(12) CALL(13) CALL(14) CALL(15)
    }
}

static long used(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static pthread_barrier_t grown, done;

static void *grow(void *number)
{
    unsigned long random = 88172645463325252ul + (unsigned long)number;
    while (used() < milliseconds)
        chain(DEPTH, &random);
    /* It lives on, so that the last thread does not get its memory. */
    pthread_barrier_wait(&grown);
    pthread_barrier_wait(&done);
    return 0;
}

NOINLINE void late(void)
{
    while (used() < LATE)
        work(100000);
    sum += 1;
}

static void *come_late(void *nothing)
{
    pthread_barrier_wait(&grown);
    late();
    pthread_barrier_wait(&done);
    return nothing;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS], last;
    milliseconds = argc > 1 ? atol(argv[1]) : 100;
    pthread_barrier_init(&grown, 0, THREADS + 1);
    pthread_barrier_init(&done, 0, THREADS + 1);
    pthread_create(&last, 0, come_late, 0);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, grow, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    pthread_join(last, 0);
    puts("done");
    return 0;
}
