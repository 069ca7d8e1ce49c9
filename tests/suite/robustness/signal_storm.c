/* Signals every 100 microseconds into hooked code, in two threads, each with a timer of its own. The
   handler is hooked as well, calls a function from ever new places, and is interrupted by another
   signal, whose handler does the same.
   Prints how often each function was called: `CALLER -> CALLEE CALLS`. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "places.h"

#define THREADS 2
#define SIGNALS 4000

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static atomic_ulong outer_signals, inner_signals, loops;

COUNTED void work(void)
{
    BARRIER();
}

COUNTED void on_inner(int signal)
{
    (void)signal;
    from_place(atomic_fetch_add(&inner_signals, 1) * 7);
    BARRIER();
}

COUNTED void on_outer(int signal)
{
    unsigned long number = atomic_fetch_add(&outer_signals, 1);

    (void)signal;
    work();
    from_place(number);
    if (number % 4 == 0)
        raise(SIGUSR2);
    from_place(number * 5 + 3);
    BARRIER();
}

COUNTED void *run(void *unused)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1};
    struct itimerspec every = {{0, 100000}, {0, 100000}};
    timer_t timer;
    unsigned long own = 0;

    (void)unused;
    event.sigev_notify_thread_id = (int)syscall(SYS_gettid);
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &every, 0);
    while (atomic_load(&outer_signals) < SIGNALS) {
        work();
        own++;
    }
    timer_delete(timer);
    atomic_fetch_add(&loops, own);
    return 0;
}

int main(void)
{
    struct sigaction outer = {.sa_handler = on_outer, .sa_flags = SA_RESTART};
    struct sigaction inner = {.sa_handler = on_inner, .sa_flags = SA_RESTART};
    pthread_t threads[THREADS];
    int i;

    sigaction(SIGUSR1, &outer, 0);
    sigaction(SIGUSR2, &inner, 0);
    for (i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, run, 0);
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    printf("run -> work %lu\n", (unsigned long)loops);
    printf("on_outer -> work %lu\n", (unsigned long)outer_signals);
    printf("on_outer -> from_place %lu\n", 2 * (unsigned long)outer_signals);
    printf("on_inner -> from_place %lu\n", (unsigned long)inner_signals);
    printf("from_place -> rare %lu\n",
           2 * (unsigned long)outer_signals + (unsigned long)inner_signals);
    printf("<outside> -> on_outer %lu\n", (unsigned long)outer_signals);
    printf("<outside> -> on_inner %lu\n", (unsigned long)inner_signals);
    printf("<outside> -> run %d\n", THREADS);
    printf("<outside> -> main 1\n");
    return 0;
}
