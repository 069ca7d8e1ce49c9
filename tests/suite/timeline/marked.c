/* Phases and moments that it marks, and whose borders it prints by the clock that profiles have.
 *
 * marked MS          two phases of so many milliseconds, the second twice, with a part in it and a moment in each
 * marked MS threads  a phase in each of four threads
 * marked MS fork     a phase of the child after one of the parent
 * marked MS killed   a phase that never ends */
#include <gmon.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static volatile unsigned sum;

static void work(int milliseconds)
{
    long long end = now() + milliseconds * 1000000LL;
    while (now() < end)
        for (unsigned i = 0; i < 20000; i++)
            sum += i;
}

__attribute__((noinline)) static void load(int milliseconds)
{
    work(milliseconds);
}

__attribute__((noinline)) static void compute(int milliseconds)
{
    work(milliseconds);
}

__attribute__((noinline)) static void between(int milliseconds)
{
    work(milliseconds);
}

static void phase(const char *name, void (*function)(int), int milliseconds)
{
    long long begun = now();
    GMON_BEGIN(name);
    GMON_MARK("inside");
    function(milliseconds);
    GMON_END();
    printf("%s %lld %lld\n", name, begun, now());
    fflush(stdout);
}

static int length;

static void *thread(void *argument)
{
    (void)argument;
    phase("worker", compute, length);
    return NULL;
}

int main(int argc, char **argv)
{
    const char *what = argc > 2 ? argv[2] : "";
    length = argc > 1 ? atoi(argv[1]) : 200;
    phase("load", load, length);
    if (!strcmp(what, "threads")) {
        pthread_t threads[4];
        for (int i = 0; i < 4; i++)
            pthread_create(&threads[i], NULL, thread, NULL);
        for (int i = 0; i < 4; i++)
            pthread_join(threads[i], NULL);
    } else if (!strcmp(what, "fork")) {
        GMON_BEGIN("parent");
        pid_t child = fork();
        if (child == 0) {
            phase("child", compute, length);
            exit(0);
        }
        waitpid(child, NULL, 0);
        GMON_END();
        printf("pid %d\n", (int)child);
    } else if (!strcmp(what, "killed")) {
        GMON_BEGIN("forever");
        compute(length);
        raise(SIGKILL);
    } else {
        phase("compute", compute, length);
        between(length);
        phase("compute", compute, length);
    }
    return 0;
}
