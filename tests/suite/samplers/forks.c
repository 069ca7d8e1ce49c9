/* Forks after every few milliseconds of work: more often than a sampler has a look. */
#include <sys/wait.h>
#include <unistd.h>

#include "counted.h"
#define TURNS 20000
#include "cpu_time.h"

static double used;

COUNTED static void work(void) {
    double begin = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    use(0.004);
    used += seconds_of(CLOCK_THREAD_CPUTIME_ID) - begin;
}

int main(void) {
    for (int i = 0; i < 200; i++) {
        work();
        pid_t child = fork();
        if (child == 0) _exit(0);
        waitpid(child, NULL, 0);
    }
    tell("work", used);
}
