/* Does, step by step, what its arguments say:
     work N                N calls of `work`
     threads N             N threads at the same time, each of which calls `thread_work`
     stop, go on, reset, snapshot, cleanup, start again      controls the profile
     close                 closes all descriptors but the standard streams
     directory PATH        changes the directory
     limit N               lets files grow to N bytes, until the next such step
     fork, clone           goes on in a child, by the function or by the bare system call, and says
                           its number; the parent waits for it and goes on too
     execute PATH          becomes another program, or goes on
     wait                  says `ready` and waits for a line
     leave                 ends without a word to the C library
     kill                  ends by SIGKILL */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "gmon.h"
#include "counted.h"

extern char __executable_start, etext;

static pthread_barrier_t barrier;

/* Ends the process by a system call that the runtime knows nothing of: that of the last thread. */
static void leave(void)
{
    syscall(SYS_exit, 0);
}

COUNTED void work(void)
{
    BARRIER();
}

COUNTED void *thread_work(void *unused)
{
    pthread_barrier_wait(&barrier);
    return unused;
}

COUNTED void run_threads(int count)
{
    pthread_t *threads = calloc(count, sizeof *threads);
    int i;

    pthread_barrier_init(&barrier, 0, count);
    for (i = 0; i < count; i++)
        if (pthread_create(&threads[i], 0, thread_work, 0) != 0)
            abort();
    for (i = 0; i < count; i++)
        pthread_join(threads[i], 0);
    free(threads);
}

/* Zero in the child. */
COUNTED int split(int is_bare)
{
    int status;
    pid_t pid;

    fflush(stdout);
    pid = is_bare ? (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) : fork();
    if (pid > 0) {
        printf("child %d\n", (int)pid);
        waitpid(pid, &status, 0);
    }
    return pid != 0;
}

COUNTED void step(const char *text)
{
    char word[256] = "", rest[256] = "";
    struct rlimit limit;
    long n, i;

    sscanf(text, "%255s %255[^\n]", word, rest);
    n = atol(rest);
#define IS(name) (strcmp(text, name) == 0)
#define BEGINS(name) (strcmp(word, name) == 0)
    if (BEGINS("work"))
        for (i = 0; i < n; i++)
            work();
    else if (BEGINS("threads"))
        run_threads((int)n);
    else if (IS("stop"))
        GMON_STOP();
    else if (IS("go on"))
        GMON_START();
    else if (IS("reset"))
        GMON_RESET();
    else if (IS("snapshot"))
        GMON_SNAPSHOT();
    else if (IS("cleanup"))
        _mcleanup();
    else if (IS("start again"))
        monstartup((unsigned long)&__executable_start, (unsigned long)&etext);
    else if (IS("close"))
        for (i = 3; i < 100000; i++)
            close((int)i);
    else if (BEGINS("directory")) {
        if (chdir(rest) != 0)
            abort();
    } else if (BEGINS("limit")) {
        getrlimit(RLIMIT_FSIZE, &limit);
        limit.rlim_cur = (rlim_t)n;
        setrlimit(RLIMIT_FSIZE, &limit);
    } else if (IS("fork") || IS("clone"))
        split(IS("clone"));
    else if (BEGINS("execute"))
        execl(rest, rest, (char *)0);
    else if (IS("wait")) {
        puts("ready");
        fflush(stdout);
        fgets(word, sizeof word, stdin);
    } else if (IS("leave")) {
        fflush(stdout);
        leave();
    } else if (IS("kill")) {
        fflush(stdout);
        syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
    } else
        abort();
}

int main(int argc, char **argv)
{
    int i;

    for (i = 1; i < argc; i++)
        step(argv[i]);
    return 0;
}
