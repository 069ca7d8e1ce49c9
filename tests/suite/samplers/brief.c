/* Threads that live for a few milliseconds and never come to a hook, one after another: brief THREADS MILLISECONDS [1].
   With a third argument another thread is busy meanwhile. */
#include <pthread.h>
#include <stdlib.h>

#include "cpu_time.h"

static double used, each;
static volatile int ends;

__attribute__((noinline, no_instrument_function)) static void *briefly(void *nothing)
{
    volatile double sink = 0;
    while (seconds_of(CLOCK_THREAD_CPUTIME_ID) < each)
        for (int n = 0; n < 1000; n++) sink = sink + n;
    used += seconds_of(CLOCK_THREAD_CPUTIME_ID);
    return nothing;
}

__attribute__((noinline, no_instrument_function)) static void *busily(void *nothing)
{
    volatile double sink = 0;
    while (!ends)
        for (int n = 0; n < 1000; n++) sink = sink + n;
    return nothing;
}

int main(int count, char **arguments)
{
    int threads = count > 1 ? atoi(arguments[1]) : 100;
    pthread_t thread, other;
    each = (count > 2 ? atof(arguments[2]) : 3) / 1e3;
    if (count > 3) pthread_create(&other, NULL, busily, NULL);
    for (int i = 0; i < threads; i++) {
        pthread_create(&thread, NULL, briefly, NULL);
        pthread_join(thread, NULL);
    }
    ends = 1;
    if (count > 3) pthread_join(other, NULL);
    tell("briefly", used);
    return 0;
}
