/* Threads that use 0.2, 0.4, 0.6 and 0.8 seconds of CPU time, each in a function of its own. */
#include <pthread.h>

#include "cpu_time.h"

static double used[4];

#define THREAD(name, i, seconds)                                    \
    static void *name(void *argument) {                             \
        use_until(seconds);                                         \
        used[i] = seconds_of(CLOCK_THREAD_CPUTIME_ID);              \
        return argument;                                            \
    }

THREAD(shortest, 0, 0.2)
THREAD(shorter, 1, 0.4)
THREAD(longer, 2, 0.6)
THREAD(longest, 3, 0.8)

int main(void) {
    void *(*const start[])(void *) = {shortest, shorter, longer, longest};
    const char *const names[] = {"shortest", "shorter", "longer", "longest"};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, start[i], NULL);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < 4; i++) tell(names[i], used[i]);
}
