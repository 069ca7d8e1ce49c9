/* Has a function run in a process of its own, whose end is that of the process, and prints its status. With an argument it
   pauses its profile instead, and its last thread ends. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "counted.h"
#include "cpu_time.h"

int moncontrol(int);

COUNTED static int child(void *unused) {
    (void)unused;
    use(0.05);
    return 7;
}

int main(int argc, char **argv) {
    enum { STACK = 1 << 20 };
    char *stack = malloc(STACK);
    int status = 0;

    (void)argv;
    use(0.05);
    if (argc > 1) {
        moncontrol(0);
        pthread_exit(NULL);
    }
    waitpid(clone(child, stack + STACK, SIGCHLD, NULL), &status, 0);
    printf("status %d\n", WEXITSTATUS(status));
}
