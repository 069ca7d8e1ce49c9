/* Sets all counts to zero between one function and another. */
#include <pthread.h>

#include "counted.h"
#include "cpu_time.h"

extern void gmon_reset(void);

static double used;

COUNTED static void *before(void *argument) {
    use(0.08);
    return argument;
}

COUNTED static void after(void) {
    double begin = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    use(0.3);
    used = seconds_of(CLOCK_THREAD_CPUTIME_ID) - begin;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, before, NULL);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    before(NULL);
    gmon_reset();
    after();
    tell("after", used);
}
