/* A cheap caller and a dear one. Some time is spent in a comparison that the C library calls, and some by
 * another thread. */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 80000
#include "dear.h"

NOINLINE int compare(const void *a, const void *b)
{
    sum += 1;
    return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b;
}

NOINLINE void sort(void)
{
    static int numbers[200000];
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 200000; i++)
            numbers[i] = rand();
        qsort(numbers, 200000, sizeof *numbers, compare);
    }
}

NOINLINE void recurse(int depth)
{
    if (depth > 0)
        recurse(depth - 1);
    else
        work(30000000);
    sum += 1;
}

static void *threads_work(void *nothing)
{
    work(30000000);
    sum += 1;
    return nothing;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, threads_work, NULL);
    cheap();
    dear();
    sort();
    recurse(3000);
    pthread_join(thread, NULL);
    puts("done");
    return 0;
}
