/* Parent and child each use CPU time in a function of their own, and tell how much. */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "counted.h"
#include "cpu_time.h"

COUNTED static void in_parent(void) { use(0.3); }
COUNTED static void in_child(void) { use(0.3); }

int main(void) {
    in_parent();
    const double used = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    pid_t child = fork();
    if (child == 0) {
        in_child();
        tell("in_child", seconds_of(CLOCK_THREAD_CPUTIME_ID));
        return 0;
    }
    waitpid(child, NULL, 0);
    tell("in_parent", used);
    printf("child %d\n", (int)child);
}
