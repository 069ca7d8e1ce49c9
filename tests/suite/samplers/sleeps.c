/* Sleeps and polls while other threads use the CPU, and counts the interruptions. */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static volatile int done;
static volatile double sink;

static void *busy(void *argument) {
    while (!done)
        for (int n = 0; n < 100000; n++) sink = sink + n;
    return argument;
}

int main(void) {
    int interrupted = 0;
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, busy, NULL);
    for (int i = 0; i < 20; i++) {
        struct timespec rest = {0, 30000000};
        interrupted += nanosleep(&rest, NULL) != 0;
        interrupted += poll(NULL, 0, 30) < 0;
    }
    /* So short that the thread itself uses most of the time. */
    for (int i = 0; i < 5000; i++) {
        struct timespec rest = {0, 1000};
        interrupted += nanosleep(&rest, NULL) != 0;
    }
    done = 1;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    printf("interrupted %d\n", interrupted);
}
