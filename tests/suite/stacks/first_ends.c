/* The first thread ends at once; another one works on. */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static volatile unsigned long sum;

static double used(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

__attribute__((noinline)) static void work(void) {
    for (int i = 0; i < 100000; i++) sum += (unsigned long)i;
}

static void *work_on(void *argument) {
    struct timespec moment = {0, 20000000};
    nanosleep(&moment, NULL);
    while (used() < 0.3) work();
    puts("done");
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work_on, NULL);
    pthread_exit(NULL);
}
