/* Starts children by every way there is but `fork`, while it counts.
   Usage: spawn HOW; prints `child PID`. What the child runs is `spawn new`. */
#define _GNU_SOURCE
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "counted.h"

extern char **environ;

static char *self;

COUNTED void work(void)
{
    BARRIER();
}

COUNTED void new_work(void)
{
    BARRIER();
}

/* Long enough for a timer that should not be there to end it. */
COUNTED int new_program(void)
{
    clock_t end = clock() + CLOCKS_PER_SEC / 25;
    int i;

    for (i = 0; i < 13; i++)
        new_work();
    while (clock() < end)
        BARRIER();
    return 7;
}

COUNTED int child_of_clone(void *unused)
{
    int i;

    (void)unused;
    for (i = 0; i < 6; i++)
        work();
    return 7;
}

#define BESIDE 100000

static volatile int child_runs;

COUNTED void works_beside(void)
{
    BARRIER();
}

COUNTED void beside_child(void)
{
    BARRIER();
}

/* Counts in its parent's memory while that does. It may call nothing of the C library. */
COUNTED int child_beside(void *unused)
{
    int i;

    (void)unused;
    child_runs = 1;
    for (i = 0; i < BESIDE; i++)
        works_beside();
    return 7;
}

COUNTED pid_t start(const char *how)
{
    static char stack[1 << 16] __attribute__((aligned(16)));
    char *list[] = {self, "new", 0};
    pid_t pid = -1;

#define IS(text) (strcmp(how, text) == 0)
    if (IS("vfork, exec")) {
        pid = vfork();
        if (pid == 0) {
            work();
            execv(self, list);
            _exit(99);
        }
    }
    if (IS("vfork, _exit")) {
        pid = vfork();
        if (pid == 0) {
            work();
            _exit(7);
        }
    }
    if (IS("vfork, exec of nothing")) {
        pid = vfork();
        if (pid == 0) {
            work();
            execl("./missing", "missing", (char *)0);
            execl("/", "/", (char *)0);
            _exit(7);
        }
    }
    if (IS("posix_spawn") && posix_spawn(&pid, self, 0, 0, list, environ) != 0)
        return -1;
    if (IS("posix_spawnp") && posix_spawnp(&pid, self, 0, 0, list, environ) != 0)
        return -1;
    if (IS("clone"))
        pid = clone(child_of_clone, stack + sizeof stack, SIGCHLD, 0);
    if (IS("clone, shared memory"))
        pid = clone(child_of_clone, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, 0);
    if (IS("clone, beside its parent")) {
        int i;

        pid = clone(child_beside, stack + sizeof stack, CLONE_VM | SIGCHLD, 0);
        while (pid > 0 && !child_runs)
            BARRIER();
        for (i = 0; i < BESIDE; i++)
            beside_child();
    }
    if (IS("system call clone")) {
        pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
        if (pid == 0)
            _exit(child_of_clone(0));
    }
#ifdef SYS_fork
    if (IS("system call fork")) {
        pid = (pid_t)syscall(SYS_fork);
        if (pid == 0)
            exit(child_of_clone(0));
    }
#endif
    return pid;
}

/* Those that do not tell the child's number. */
COUNTED int wait_for_shell(const char *how)
{
    char command[4096];
    FILE *pipe;

    if (IS("system")) {
        snprintf(command, sizeof command, "%s new; exit $?", self);
        return WEXITSTATUS(system(command));
    }
    snprintf(command, sizeof command, "exec %s new", self);
    pipe = popen(command, "r");
    return pipe ? WEXITSTATUS(pclose(pipe)) : 255;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    int i, status = -1;

    if (IS("new"))
        return new_program();
    self = argv[0];
    for (i = 0; i < 10; i++)
        work();
    if (IS("system") || IS("popen")) {
        status = wait_for_shell(how);
    } else {
        pid_t pid = start(how);

        waitpid(pid, &status, 0);
        printf("child %d\n", (int)pid);
        status = WIFEXITED(status) ? WEXITSTATUS(status) : 255;
    }
    for (i = 0; i < 10; i++)
        work();
    return status == 7 ? 0 : 1;
}
