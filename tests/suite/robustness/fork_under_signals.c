/* Children that are sent signals from their first instruction on, whose handler is hooked. Half of
   them are made by the system call itself, so that the C library knows nothing of them.
   Prints `child PID SIGNALS` for each, where SIGNALS is how often its handler ran. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "counted.h"

#ifndef CHILDREN
#define CHILDREN 400
#endif

/* Of the child, seen by its parent. */
static struct {
    volatile int is_done, signals;
} *shared;

COUNTED void work(void)
{
    BARRIER();
}

COUNTED void on_signal(int signal)
{
    (void)signal;
    shared->signals++;
    work();
    BARRIER();
}

COUNTED void child(void)
{
    int i;

    for (i = 0; i < 1000; i++)
        work();
    shared->is_done = 1;
    BARRIER();
}

int main(void)
{
    int i;

    shared = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    signal(SIGUSR1, on_signal);
    for (i = 0; i < CHILDREN; i++) {
        int status;
        pid_t pid;

        shared->is_done = shared->signals = 0;
        fflush(stdout);
        pid = i % 2 ? fork() : (pid_t)syscall(SYS_fork);
        if (pid == 0) {
            child();
            signal(SIGUSR1, SIG_IGN);
            _exit(0);
        }
        if (pid < 0)
            return 1;
        while (!shared->is_done && waitpid(pid, &status, WNOHANG) == 0)
            kill(pid, SIGUSR1);
        if (!shared->is_done)
            return 1;
        waitpid(pid, &status, 0);
        printf("child %d %d\n", (int)pid, shared->signals);
    }
    return 0;
}
