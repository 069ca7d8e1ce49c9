/* Eight functions by turns, in a rhythm: rhythm MICROSECONDS MILLISECONDS. Each round takes so many microseconds of CPU
   time, of which the functions have 1 to 8 parts of 36. Says how much time each really had. */
#include <stdio.h>
#include <stdlib.h>

#include "cpu_time.h"

enum { FUNCTIONS = 8, PARTS = 36 };

static volatile unsigned long sum;

static double cpu_time(void) { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }

/* All of it is the function's own time. */
#define FUNCTION(n)                                                \
    __attribute__((noinline)) static void part##n(long turns) {    \
        for (long i = 0; i < turns; i++) sum += (unsigned long)i; \
    }
FUNCTION(1) FUNCTION(2) FUNCTION(3) FUNCTION(4) FUNCTION(5) FUNCTION(6) FUNCTION(7) FUNCTION(8)

static void (*const functions[FUNCTIONS])(long) = {part1, part2, part3, part4, part5, part6, part7, part8};

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    double round = atof(argv[1]) / 1e6, all = atof(argv[2]) / 1e3, used[FUNCTIONS] = {0};
    const long FEW = 1000000;
    double begun = cpu_time();
    functions[0](FEW);
    double begin = cpu_time(), a_turn = (begin - begun) / FEW, now = begin;
    used[0] = begin - begun;
    for (double end = begin; now - begin < all;) {
        for (int i = 0; i < FUNCTIONS; i++) {
            end += round * (i + 1) / PARTS;
            double before = now;
            /* What came late is short. */
            if (now < end) functions[i]((long)((end - now) / a_turn));
            now = cpu_time();
            used[i] += now - before;
        }
    }
    for (int i = 0; i < FUNCTIONS; i++) printf("part%d %.6f\n", i + 1, used[i]);
    return 0;
}
