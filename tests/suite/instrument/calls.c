/* Calls of every kind, for hooks that get the function and the call site: direct, recursive,
   through a pointer, from the C library, in threads, in a child, and from a signal handler. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "counted.h"

#define THREADS 4
#define CALLS 250000

COUNTED void work(void)
{
    BARRIER();
}

COUNTED double mixed(int a, double b, const char *c, double d)
{
    BARRIER();
    return a + b + c[0] + d;
}

COUNTED int recurse(int depth)
{
    int result = depth == 0 ? 0 : recurse(depth - 1) + 1;

    BARRIER();
    return result;
}

COUNTED int compare(const void *a, const void *b)
{
    int result = *(const int *)a - *(const int *)b;

    BARRIER();
    return result;
}

COUNTED void on_signal(int signal)
{
    (void)signal;
    work();
    BARRIER();
}

COUNTED void *run(void *unused)
{
    int i;

    (void)unused;
    for (i = 0; i < CALLS; i++)
        work();
    return 0;
}

__attribute__((no_instrument_function)) COUNTED void not_counted(void)
{
    BARRIER();
}

COUNTED int child(void)
{
    int i;

    for (i = 0; i < 30; i++)
        work();
    return 0;
}

int main(void)
{
    int numbers[2] = {2, 1}, status = -1, i;
    void (*volatile pointer)(void) = work;
    pthread_t threads[THREADS];
    pid_t pid;

    for (i = 0; i < 100; i++)
        pointer();
    not_counted();
    if (mixed(1, 2.5, "A", 4.25) != 72.75)
        return 1;
    if (recurse(20) != 20)
        return 2;
    qsort(numbers, 2, sizeof *numbers, compare);
    signal(SIGUSR1, on_signal);
    for (i = 0; i < 50; i++)
        raise(SIGUSR1);
    for (i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, run, 0);
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    pid = fork();
    if (pid == 0)
        _exit(child());
    waitpid(pid, &status, 0);
    return status != 0;
}
