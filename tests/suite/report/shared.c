/* Threads in a parallel region that share work unevenly, a thread that sleeps, recursion, time in the C library, and
 * so many calls of a small function that the hooks themselves take time. */

#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#define NOINLINE __attribute__((noinline, noclone))

static volatile unsigned long sum;

static double cpu(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

NOINLINE int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

NOINLINE void sort(void)
{
    static int numbers[100000];
    for (int i = 0; i < 100000; i++)
        numbers[i] = rand();
    qsort(numbers, 100000, sizeof *numbers, compare);
    sum++;
}

NOINLINE void small(void) { sum++; }

NOINLINE void spin(double seconds)
{
    for (double end = cpu() + seconds; cpu() < end;)
        for (int i = 0; i < 1000; i++)
            small();
    sum++;
}

NOINLINE void descend(int depth)
{
    if (depth > 0)
        descend(depth - 1);
    else
        spin(0.1);
    sum++;
}

NOINLINE void sleep_a_little(void)
{
    struct timespec left = {0, 300000000};
    while (nanosleep(&left, &left) != 0) {}
    sum++;
}

static void *rest(void *nothing)
{
    pthread_setname_np(pthread_self(), "rest");
    sleep_a_little();
    return nothing;
}

NOINLINE void share(void)
{
#pragma omp parallel for schedule(static, 1) num_threads(2)
    for (int i = 0; i < 2; i++)
        spin(0.1 + 0.2 * i);
    sum++;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, rest, NULL);
    sort();
    descend(5);
    share();
    pthread_join(thread, NULL);
    return 0;
}
