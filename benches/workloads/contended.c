/* Threads that want one lock nearly all the time: contended THREADS ROUNDS. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long sum;
static long rounds;

__attribute__((noinline)) static unsigned long step(unsigned long x) {
    for (int i = 0; i < 20; i++)
        x = x * 6364136223846793005u + 1442695040888963407u;
    return x;
}

static void *work(void *seed) {
    unsigned long x = (unsigned long)seed;
    for (long i = 0; i < rounds; i++) {
        pthread_mutex_lock(&lock);
        sum += x = step(x);
        pthread_mutex_unlock(&lock);
        x ^= step(x);
    }
    return NULL;
}

int main(int argc, char **argv) {
    long threads = argc > 1 ? atol(argv[1]) : 4;
    rounds = argc > 2 ? atol(argv[2]) : 1000000;
    pthread_t *list = calloc(threads, sizeof *list);
    for (long i = 0; i < threads; i++)
        pthread_create(&list[i], NULL, work, (void *)(i + 1));
    for (long i = 0; i < threads; i++)
        pthread_join(list[i], NULL);
    printf("%lx\n", sum);
    free(list);
}
