/* A thread that works, names itself, and then only waits. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

#define NOINLINE __attribute__((noinline, noclone))

static volatile double sum;
static pthread_barrier_t both;

NOINLINE static void work(int times)
{
    for (int i = 0; i < times; i++)
        sum += i * 0.5;
    sum += 1;
}

static void *work_and_wait(void *nothing)
{
    work(60000000);
    pthread_setname_np(pthread_self(), "named late");
    pthread_barrier_wait(&both);
    pthread_barrier_wait(&both);
    return nothing;
}

int main(void)
{
    pthread_t thread;
    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&thread, NULL, work_and_wait, NULL);
    pthread_barrier_wait(&both);
    puts("done");
    return 0;
}
