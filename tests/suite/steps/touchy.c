// A program that notices whoever stops it or takes its signals: it counts those that it sends itself, blocks them, looks at its own
// flags, and starts and ends threads and processes all the time. Its output is always the same.

#define _GNU_SOURCE

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TIMES = 2000, CHILDREN = 60, THREADS = 60 };

static volatile sig_atomic_t traps, queued, blocked;
static volatile unsigned long sink;

__attribute__((noinline)) static void work(unsigned rounds)
{
    for (unsigned i = 0; i < rounds; i++)
        sink += i;
}

static void trap(int number)
{
    (void)number;
    work(200);
    traps++;
}

static void queue(int number, siginfo_t *info, void *context)
{
    (void)number, (void)context;
    queued += info->si_value.sival_int;
}

static void count_blocked(int number)
{
    (void)number;
    blocked++;
}

// True if the processor is said to step.
static int is_stepped(void)
{
#ifdef __x86_64__
    unsigned long flags;
    __asm__ volatile("pushfq\n\tpop %0" : "=r"(flags));
    return flags >> 8 & 1;
#else
    return 0;
#endif
}

static void *thread(void *result)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    work(20000);
    *(int *)result = 1;
    return NULL;
}

static void install(int number, void (*handler)(int), void (*informed)(int, siginfo_t *, void *))
{
    struct sigaction action = {0};
    if (informed) {
        action.sa_sigaction = informed;
        action.sa_flags = SA_SIGINFO;
    } else
        action.sa_handler = handler;
    sigaction(number, &action, NULL);
}

int main(int count, char **words)
{
    install(SIGTRAP, trap, NULL);
    install(SIGRTMIN + 3, NULL, queue);
    install(SIGUSR1, count_blocked, NULL);
    int stepped = 0;
    for (int i = 0; i < TIMES; i++) {
        raise(SIGTRAP);
        sigqueue(getpid(), SIGRTMIN + 3, (union sigval){.sival_int = i % 7});
        work(500);
        stepped += is_stepped();
    }
    sigset_t set, before;
    sigfillset(&set);
    sigprocmask(SIG_SETMASK, &set, &before);
    for (int i = 0; i < 50; i++) {
        kill(getpid(), SIGUSR1);
        work(100000);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    int children = 0, threads = 0;
    for (int i = 0; i < CHILDREN; i++) {
        pid_t child = fork();
        if (!child) {
            work(100000);
            _exit(i);
        }
        int status;
        waitpid(child, &status, 0);
        children += WIFEXITED(status) && WEXITSTATUS(status) == i;
    }
    for (int i = 0; i < THREADS; i++) {
        int ran = 0;
        pthread_t id;
        pthread_create(&id, NULL, thread, &ran);
        work(20000);
        pthread_join(id, NULL);
        threads += ran;
    }
    printf("%d traps, %d queued, %d blocked, %d stepped, %d children, %d threads\n", (int)traps, (int)queued, (int)blocked,
           stepped, children, threads);
    fflush(stdout);
    if (count > 1 && !strcmp(words[1], "again"))
        execl("/proc/self/exe", words[0], "killed", NULL);
    if (count > 1 && !strcmp(words[1], "killed"))
        raise(SIGKILL);
    return 7;
}
