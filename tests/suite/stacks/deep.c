/* Work at the end of long chains of calls: `same` calls itself in one place, `mixed` in one of sixteen each time.
 * Usage: deep DEPTH MILLISECONDS */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define NOINLINE __attribute__((noinline, noclone))

static volatile double sum;
static long milliseconds;

static long used(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

NOINLINE void work(void)
{
    for (long end = used() + milliseconds; used() < end;)
        for (int i = 0; i < 100000; i++)
            sum += i * 0.5;
}

NOINLINE void same(int depth)
{
    if (depth > 0)
        same(depth - 1);
    else
        work();
    sum += 1;
}

#define CALL(n)                                                                                    \
    case n:                                                                                        \
        mixed(depth - 1, random * 1103515245u + 12345);                                            \
        sum += n;                                                                                  \
        break;

NOINLINE void mixed(int depth, unsigned random)
{
    if (depth == 0) {
        work();
        return;
    }
    switch (random >> 20 & 15) {
        CALL(0) CALL(1) CALL(2) CALL(3) CALL(4) CALL(5) CALL(6) CALL(7)
        CALL(8) CALL(9) CALL(10) CALL(11) CALL(12) CALL(13) CALL(14) CALL(15)
    }
}

int main(int argc, char **argv)
{
    int depth = argc > 1 ? atoi(argv[1]) : 100;
    milliseconds = argc > 2 ? atol(argv[2]) : 100;
    same(depth);
    mixed(depth, 1);
    puts("done");
    return 0;
}
