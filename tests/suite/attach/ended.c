// A program that works when it is told to, by SIGUSR1: in threads, one after the other, and in a child, 0.3 seconds each. Then it
// makes the file "done", and waits until its input ends.

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sink;

static double used(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

static void *work(void *unused)
{
    double end = used() + 0.3;
    while (used() < end)
        for (int i = 0; i < 100000; i++)
            sink += i;
    return unused;
}

int main(void)
{
    sigset_t start;
    int number;
    sigemptyset(&start);
    sigaddset(&start, SIGUSR1);
    sigprocmask(SIG_BLOCK, &start, NULL);
    puts("ready");
    fflush(stdout);
    alarm(120);
    sigwait(&start, &number);
    for (int i = 0; i < 4; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, work, NULL);
        pthread_join(thread, NULL);
    }
    pid_t child = fork();
    if (!child) {
        work(NULL);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    fclose(fopen("done", "w"));
    while (getchar() != EOF)
        ;
    return 0;
}
