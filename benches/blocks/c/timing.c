/* Times one shape: timing SHAPE THREADS MILLISECONDS
 *
 * Prints "NANOSECONDS ROUNDS": how long one round of the loop takes in each of the threads, which run at
 * the same time, in the fastest batch; and how many rounds were made in all. Has no hooks itself. */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

long branches(long), interpreter(long), calls(long);

static const struct shape {
    const char *name;
    long (*run)(long rounds);
} shapes[] = {{"branches", branches}, {"interpreter", interpreter}, {"calls", calls}};

enum { BATCH = 50000, MOST = 16 };

static const struct shape *shape;
static pthread_barrier_t start;
static double budget;

struct result {
    double best;
    long rounds;
    long sum;
};

static void *measure(void *pointer)
{
    struct result *result = pointer;

    pthread_barrier_wait(&start);
    for (double begin = now(); result->best == 0 || now() - begin < budget;) {
        double before = now();
        double time;

        result->sum += shape->run(BATCH);
        time = now() - before;
        result->rounds += BATCH;
        if (result->best == 0 || time < result->best)
            result->best = time;
    }
    return 0;
}

int main(int argc, char **argv)
{
    static struct result results[MOST];
    pthread_t ids[MOST];
    int threads = argc == 4 ? atoi(argv[2]) : 0;
    double time = 0;
    long rounds = 0;

    for (size_t i = 0; threads > 0 && i < sizeof shapes / sizeof *shapes; i++)
        if (strcmp(argv[1], shapes[i].name) == 0)
            shape = &shapes[i];
    if (!shape || threads > MOST) {
        fprintf(stderr, "usage: timing SHAPE THREADS MILLISECONDS\n");
        return 2;
    }
    budget = atof(argv[3]) * 1e6;
    pthread_barrier_init(&start, 0, threads);
    for (int i = 0; i < threads; i++)
        if (pthread_create(&ids[i], 0, measure, &results[i]) != 0)
            return 1;
    for (int i = 0; i < threads; i++) {
        pthread_join(ids[i], 0);
        time += results[i].best / threads;
        rounds += results[i].rounds;
    }
    printf("%.5f %ld\n", time / BATCH, rounds);
    return 0;
}
