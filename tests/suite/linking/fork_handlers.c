/* A program with fork handlers of its own. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "counted.h"

COUNTED void before(void)
{
    BARRIER();
}

COUNTED void in_parent(void)
{
    BARRIER();
}

COUNTED void in_child(void)
{
    BARRIER();
}

int main(void)
{
    pid_t child;
    int status = 1;

    if (pthread_atfork(before, in_parent, in_child))
        return 1;
    child = fork();
    if (!child)
        exit(0);
    waitpid(child, &status, 0);
    printf("child %d\n", (int)child);
    return status;
}
