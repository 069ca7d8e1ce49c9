/* Threads that end while profiling is paused, and a file that is written meanwhile. */
#include <pthread.h>

#include "counted.h"
#include "cpu_time.h"

#define THREADS 8

extern void moncontrol(int mode);
extern int gmon_snapshot(void);

static pthread_barrier_t before, after;
static double used[THREADS + 1];

COUNTED static void wanted(int n, double seconds) {
    double begin = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    use(seconds);
    used[n] += seconds_of(CLOCK_THREAD_CPUTIME_ID) - begin;
}

COUNTED static void unwanted(void) { use(0.2); }

static void *work(void *n) {
    wanted((int)(long)n, 0.05);
    pthread_barrier_wait(&before);
    pthread_barrier_wait(&after);
    unwanted();
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    double sum = 0;
    pthread_barrier_init(&before, NULL, THREADS + 1);
    pthread_barrier_init(&after, NULL, THREADS + 1);
    for (long n = 0; n < THREADS; n++) pthread_create(&threads[n], NULL, work, (void *)n);
    pthread_barrier_wait(&before);
    moncontrol(0);
    pthread_barrier_wait(&after);
    for (int n = 0; n < THREADS; n++) pthread_join(threads[n], NULL);
    gmon_snapshot();
    moncontrol(1);
    wanted(THREADS, 0.1);
    for (int n = 0; n <= THREADS; n++) sum += used[n];
    tell("wanted", sum);
}
