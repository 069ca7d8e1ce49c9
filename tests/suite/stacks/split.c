/* Spends three tenths of its time in one function and the rest in another, by turns of random length, and prints how
 * long each of them really ran: `thirty NANOSECONDS`, `seventy NANOSECONDS`.
 * Usage: split SEED MILLISECONDS */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define NOINLINE __attribute__((noinline, noclone))

static volatile double sum;

NOINLINE void work(long times)
{
    for (long i = 0; i < times; i++)
        sum += i * 0.5;
}

NOINLINE void thirty(long times)
{
    work(3 * times);
    sum += 1;
}

NOINLINE void seventy(long times)
{
    work(7 * times);
    sum += 1;
}

/* This thread's CPU time in nanoseconds. */
static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1000000000ll + time.tv_nsec;
}

int main(int argc, char **argv)
{
    srand(argc > 1 ? atoi(argv[1]) : 1);
    long long end = now() + (argc > 2 ? atol(argv[2]) : 100) * 1000000ll;
    long long spent[2] = {0, 0}, before, after = now();
    while (after < end) {
        long times = 1000 + rand() % 9000;
        before = after;
        thirty(times);
        after = now();
        spent[0] += after - before;
        before = after;
        seventy(times);
        after = now();
        spent[1] += after - before;
    }
    printf("thirty %lld\nseventy %lld\n", spent[0], spent[1]);
    return 0;
}
