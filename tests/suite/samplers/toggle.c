/* Profiling goes off and on all the time while threads begin and end; then main uses CPU time. */
#include <pthread.h>

#include "counted.h"
#include "cpu_time.h"

#define MAKERS 4

extern void moncontrol(int mode);

static volatile int is_over;

COUNTED static void *briefly(void *argument) { return argument; }

static void *make(void *argument) {
    pthread_t thread;
    while (!is_over)
        if (pthread_create(&thread, NULL, briefly, NULL) == 0) pthread_join(thread, NULL);
    return argument;
}

COUNTED static void work(void) { use(0.3); }

int main(void) {
    pthread_t makers[MAKERS];
    for (int i = 0; i < MAKERS; i++) pthread_create(&makers[i], NULL, make, NULL);
    double end = seconds_of(CLOCK_THREAD_CPUTIME_ID) + 0.5;
    while (seconds_of(CLOCK_THREAD_CPUTIME_ID) < end) {
        moncontrol(0);
        moncontrol(1);
    }
    is_over = 1;
    for (int i = 0; i < MAKERS; i++) pthread_join(makers[i], NULL);
    double begin = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    work();
    tell("work", seconds_of(CLOCK_THREAD_CPUTIME_ID) - begin);
}
