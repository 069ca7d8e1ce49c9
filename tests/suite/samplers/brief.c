/* Threads that live for a few milliseconds and never come to a hook, one after another: brief THREADS MILLISECONDS. */
#include <pthread.h>
#include <stdlib.h>

#include "cpu_time.h"

static double used, each;

__attribute__((noinline, no_instrument_function)) static void *briefly(void *nothing)
{
    volatile double sink = 0;
    while (seconds_of(CLOCK_THREAD_CPUTIME_ID) < each)
        for (int n = 0; n < 1000; n++) sink = sink + n;
    used += seconds_of(CLOCK_THREAD_CPUTIME_ID);
    return nothing;
}

int main(int count, char **arguments)
{
    int threads = count > 1 ? atoi(arguments[1]) : 100;
    pthread_t thread;
    each = (count > 2 ? atof(arguments[2]) : 3) / 1e3;
    for (int i = 0; i < threads; i++) {
        pthread_create(&thread, NULL, briefly, NULL);
        pthread_join(thread, NULL);
    }
    tell("briefly", used);
    return 0;
}
