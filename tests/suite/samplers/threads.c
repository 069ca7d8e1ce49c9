/* Threads that use one, two, three and four parts of CPU time, each in a function of its own. The
 * argument is how many milliseconds a part has. */
#include <pthread.h>
#include <stdlib.h>

#define TURNS 3000000
#include "cpu_time.h"

static double part;
static double used[4];

#define THREAD(name, i)                                             \
    static void *name(void *argument) {                             \
        use_until((i + 1) * part);                                  \
        used[i] = seconds_of(CLOCK_THREAD_CPUTIME_ID);              \
        return argument;                                            \
    }

THREAD(shortest, 0)
THREAD(shorter, 1)
THREAD(longer, 2)
THREAD(longest, 3)

int main(int argc, char **argv) {
    void *(*const start[])(void *) = {shortest, shorter, longer, longest};
    const char *const names[] = {"shortest", "shorter", "longer", "longest"};
    pthread_t threads[4];
    part = argc > 1 ? atoi(argv[1]) / 1e3 : 0.2;
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, start[i], NULL);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < 4; i++) tell(names[i], used[i]);
}
