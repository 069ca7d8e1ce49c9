/* The child of a fork uses CPU time and calls nothing that is counted, then both end. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "counted.h"

COUNTED void work(void)
{
    BARRIER();
}

__attribute__((no_instrument_function, noinline)) static void burn(void)
{
    while (clock() < CLOCKS_PER_SEC * 3 / 10)
        for (volatile int i = 0; i < 1000; i++)
            ;
}

int main(void)
{
    pid_t child;
    int status = 1;

    for (int i = 0; i < 3; i++)
        work();
    child = fork();
    if (!child) {
        burn();
        exit(0);
    }
    waitpid(child, &status, 0);
    printf("child %d\n", (int)child);
    return status;
}
