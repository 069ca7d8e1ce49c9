/* Five threads, each of which forks a child that counts and exits. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "counted.h"

COUNTED void work(void)
{
    BARRIER();
}

COUNTED void *forker(void *unused)
{
    pid_t child = fork();

    if (child == 0) {
        work();
        exit(0);
    }
    waitpid(child, 0, 0);
    work();
    return unused;
}

int main(void)
{
    pthread_t threads[5];
    int i;

    for (i = 0; i < 5; i++)
        pthread_create(&threads[i], 0, forker, 0);
    for (i = 0; i < 5; i++)
        pthread_join(threads[i], 0);
    return 0;
}
