/* Parent and child each use CPU time in a function of their own. */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "counted.h"
#include "cpu_time.h"

COUNTED static void in_parent(void) { use(0.3); }
COUNTED static void in_child(void) { use(0.3); }

int main(void) {
    in_parent();
    pid_t child = fork();
    if (child == 0) {
        in_child();
        return 0;
    }
    waitpid(child, NULL, 0);
    printf("child %d\n", (int)child);
}
