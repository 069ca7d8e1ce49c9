/* Three phases, whose borders it prints by the clock that profiles have. With "fork" a child does the second. */
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

#define PHASE(name)                                                        \
    __attribute__((noinline)) static void name(int milliseconds)           \
    {                                                                      \
        long long begun = now();                                           \
        work(milliseconds);                                                \
        printf("%s %lld\n%s_end %lld\n", #name, begun, #name, now());      \
        fflush(stdout);                                                    \
    }

PHASE(load)
PHASE(compute)
PHASE(finish)

int main(int argc, char **argv)
{
    int milliseconds = argc > 1 ? atoi(argv[1]) : 300;
    load(milliseconds);
    if (argc > 2 && !strcmp(argv[2], "fork")) {
        pid_t child = fork();
        if (child == 0) {
            compute(milliseconds);
            exit(0);
        }
        waitpid(child, NULL, 0);
        printf("child %d\n", (int)child);
    } else {
        compute(milliseconds);
    }
    finish(milliseconds);
    return 0;
}
