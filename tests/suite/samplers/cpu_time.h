/* Using CPU time, and telling how much was used.
 *
 * The loops read the clock seldom, so that nearly all of the time is the caller's own. */
#ifndef CPU_TIME_H
#define CPU_TIME_H

#include <stdio.h>
#include <time.h>

/* Turns of the loop between two looks at the clock. Programs whose time is compared closely look less
 * often still: a sample that falls into the call is missing. */
#ifndef TURNS
#define TURNS 300000
#endif

static inline __attribute__((always_inline)) double seconds_of(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Uses CPU time until the calling thread has used `seconds` of it in all. */
static inline __attribute__((always_inline)) void use_until(double seconds) {
    volatile double sink = 0;
    while (seconds_of(CLOCK_THREAD_CPUTIME_ID) < seconds)
        for (int n = 0; n < TURNS; n++) sink = sink + n;
}

/* Uses another `seconds` of the calling thread's CPU time. */
static inline __attribute__((always_inline)) void use(double seconds) {
    use_until(seconds_of(CLOCK_THREAD_CPUTIME_ID) + seconds);
}

/* Prints, on a line, what `function` has used. */
static inline __attribute__((always_inline)) void tell(const char *function, double seconds) {
    printf("%s %.4f\n", function, seconds);
}

#endif
