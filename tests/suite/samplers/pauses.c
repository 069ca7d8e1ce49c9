/* Pauses profiling around one function and resumes it around another, many times; ends in a pause. */
#include "counted.h"
#include "cpu_time.h"

extern void moncontrol(int mode);

static double used;

COUNTED static void wanted(void) {
    double begin = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    use(0.01);
    used += seconds_of(CLOCK_THREAD_CPUTIME_ID) - begin;
}

COUNTED static void unwanted(void) { use(0.005); }

int main(void) {
    for (int i = 0; i < 60; i++) {
        moncontrol(0);
        unwanted();
        moncontrol(1);
        wanted();
    }
    moncontrol(0);
    for (int i = 0; i < 20; i++) unwanted();
    tell("wanted", used);
}
