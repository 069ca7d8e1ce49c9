/* Calls a function of a library: calls COUNT [own]. Prints the nanoseconds of a call. With `own` it is a function of the
 * program, which has a hook. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int nothing(int number);

__attribute__((noinline)) static int own(int number)
{
    __asm__ volatile("");
    return number;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

__attribute__((no_instrument_function)) int main(int argc, char **argv)
{
    /* A round is short, so that most meet no interrupt: the fastest shows what the machine can do. */
    enum { ROUND = 10000 };
    long count = atol(argv[1]) / ROUND;
    double fastest = 1e300;
    int sum = 0;
    for (long round = 0; round < count; round++) {
        double start = now();
        if (argc > 2)
            for (int i = 0; i < ROUND; i++)
                sum += own(i);
        else
            for (int i = 0; i < ROUND; i++)
                sum += nothing(i);
        double time = now() - start;
        if (time < fastest)
            fastest = time;
    }
    printf("%.4f\n", fastest / ROUND);
    return sum == 1;
}
