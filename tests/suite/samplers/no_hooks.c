/* Threads that never come upon a hook, as if built without -pg, while main waits for them. */
#include <pthread.h>

#include "cpu_time.h"

static double used;

__attribute__((no_instrument_function, noinline)) static void *unhooked(void *argument) {
    use_until(0.6);
    used = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, unhooked, NULL);
    pthread_join(thread, NULL);
    tell("unhooked", used);
}
