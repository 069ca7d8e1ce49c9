/* The clock of the measurements. */

#include <time.h>

/* Nanoseconds since some moment. */
static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}
