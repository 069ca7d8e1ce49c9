/* Threads of 30 milliseconds, one or two at a time, which spend half of their CPU time in each of two functions. */
#include <pthread.h>

#include "cpu_time.h"

__attribute__((noinline)) static void first(void) { use_until(0.015); }
__attribute__((noinline)) static void second(void) { use_until(0.030); }

static void *run(void *none) {
    first();
    second();
    return none;
}

int main(void) {
    for (int round = 0; round < 24; round++) {
        pthread_t threads[2];
        int count = 1 + round % 2;
        for (int i = 0; i < count; i++) pthread_create(&threads[i], NULL, run, NULL);
        for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
    }
    return 0;
}
