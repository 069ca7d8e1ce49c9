/* Spends its time in the libraries of C: in `sin`, and in `qsort`, which calls back; half of it on a thread
 * that has a name. */

#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline, noclone))

static volatile double sum;
static int numbers[400000];

NOINLINE int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

NOINLINE void sort(void)
{
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 400000; i++)
            numbers[i] = rand();
        qsort(numbers, 400000, sizeof *numbers, compare);
    }
    sum += 1;
}

NOINLINE void waves(void)
{
    for (int i = 0; i < 12000000; i++)
        sum += sin(i * 0.37);
}

static void *body(void *nothing)
{
    pthread_setname_np(pthread_self(), "surfer");
    waves();
    sum += 1;
    return nothing;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, body, NULL);
    sort();
    pthread_join(thread, NULL);
    return 0;
}
