/* Times one shape: timing SHAPE MILLISECONDS
 *
 * Prints "NANOSECONDS CALLS": the time of one call in the fastest round, and how many calls were
 * made in all. A round lasts about 0.2 ms, so most rounds see neither a profiling tick (10 ms
 * apart) nor another process; the fastest one shows what the machine can do. */

#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

long hot_arc(long), many_sites(long), indirect(long), recursion(long);

static const struct shape {
    const char *name;
    long (*run)(long calls);
    long batch; /* calls come in multiples of this */
} shapes[] = {
    { "hot-arc", hot_arc, 64 },
    { "many-sites", many_sites, 64 },
    { "indirect", indirect, 256 },
    { "recursion", recursion, 1973 },
};

static const double ROUND = 200e3;

static volatile long sink;
static double made;

static double time_of(const struct shape *shape, long calls)
{
    double start = now();
    sink += shape->run(calls);
    made += calls;
    return now() - start;
}

/* Stays on one processor: the last, which on most machines has the fewest interrupts. Where that
 * is not allowed the fastest round still tells. */
static void pin(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return;
    for (int cpu = CPU_SETSIZE - 1; cpu >= 0; cpu--)
        if (CPU_ISSET(cpu, &set)) {
            CPU_ZERO(&set);
            CPU_SET(cpu, &set);
            sched_setaffinity(0, sizeof set, &set);
            return;
        }
}

static int measure(const struct shape *shape, double budget)
{
    pin();
    long calls = shape->batch;
    while (time_of(shape, calls) < ROUND)
        calls *= 2;

    double best = 0;
    for (double start = now(); best == 0 || now() - start < budget;) {
        double time = time_of(shape, calls);
        if (best == 0 || time < best)
            best = time;
    }
    printf("%.5f %.0f\n", best / calls, made);
    return 0;
}

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 3 && i < sizeof shapes / sizeof *shapes; i++)
        if (strcmp(argv[1], shapes[i].name) == 0)
            return measure(&shapes[i], atof(argv[2]) * 1e6);
    fprintf(stderr, "usage: timing SHAPE MILLISECONDS\n");
    return 2;
}
