/* Four threads fork 250 children each while they and two more threads count calls. Every child
   counts in turn and ends by `exit` or `_exit`. Prints `child PID CALLS` for each, and last what the
   process itself counted: `THREAD FUNCTION CALLS`. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "counted.h"

#define FORKERS 4
#ifndef FORKS
#define FORKS 250
#endif
#define COUNTERS 2

static atomic_int forking = FORKERS;
static unsigned long counted[COUNTERS];
static struct child {
    pid_t pid;
    int calls;
} children[FORKERS][FORKS];

COUNTED void work(void)
{
    BARRIER();
}

COUNTED void child_work(void)
{
    BARRIER();
}

COUNTED void child(int calls)
{
    int i;

    for (i = 0; i < calls; i++)
        child_work();
    if (calls % 2)
        _exit(0);
    exit(0);
}

COUNTED void *forker(void *argument)
{
    struct child *own = argument;
    int base = 1000 * (int)((own - children[0]) / FORKS);
    int i, status;

    for (i = 0; i < FORKS; i++) {
        int n = base + i + 1;
        pid_t pid;

        work();
        pid = fork();
        if (pid == 0)
            child(n);
        work();
        if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
            abort();
        own[i] = (struct child){pid, n};
    }
    atomic_fetch_sub(&forking, 1);
    return 0;
}

COUNTED void *counter(void *argument)
{
    unsigned long calls = 0;

    while (atomic_load(&forking)) {
        work();
        calls++;
    }
    *(unsigned long *)argument = calls;
    return 0;
}

int main(void)
{
    pthread_t threads[FORKERS + COUNTERS];
    unsigned long sum = 0;
    int i;

    for (i = 0; i < COUNTERS; i++)
        pthread_create(&threads[FORKERS + i], 0, counter, &counted[i]);
    for (i = 0; i < FORKERS; i++)
        pthread_create(&threads[i], 0, forker, children[i]);
    for (i = 0; i < FORKERS + COUNTERS; i++)
        pthread_join(threads[i], 0);
    for (i = 0; i < COUNTERS; i++)
        sum += counted[i];
    for (i = 0; i < FORKERS * FORKS; i++)
        printf("child %d %d\n", (int)children[i / FORKS][i % FORKS].pid, children[i / FORKS][i % FORKS].calls);
    printf("forker work %d\n", 2 * FORKERS * FORKS);
    printf("counter work %lu\n", sum);
    return 0;
}
