/* Two workers that block all signals, as those of xz do, and a thread that waits all the time; with an argument it works before it
   names itself. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
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

NOINLINE static void worker(void)
{
    work(60000000);
    sum += 1;
}

static void *work_in_thread(void *nothing)
{
    worker();
    return nothing;
}

static void *wait_in_thread(void *works)
{
    if (works)
        work(60000000);
    pthread_setname_np(pthread_self(), "waiter");
    pthread_barrier_wait(&both);
    pthread_barrier_wait(&both);
    return NULL;
}

static void handle(int signal)
{
    (void)signal;
}

int main(int count, char **words)
{
    /* As sort does. */
    signal(SIGPROF, handle);
    pthread_t waiter, workers[2];
    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&waiter, NULL, wait_in_thread, count > 1 ? words[1] : NULL);
    pthread_barrier_wait(&both);
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    for (int i = 0; i < 2; i++)
        pthread_create(&workers[i], NULL, work_in_thread, NULL);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(workers[i], NULL);
    puts("done");
    /* The waiter lives until the end. */
    return 0;
}
