/* Its first thread ends, and another one works on until the standard input does. */
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>

static volatile long count;

__attribute__((noinline)) void work(void)
{
    for (int i = 0; i < 1000000; i++)
        count++;
}

static void *run(void *unused)
{
    struct pollfd input = {.fd = 0, .events = POLLIN};

    while (poll(&input, 1, 0) == 0)
        work();
    exit(0);
    return unused;
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, 0, run, 0);
    pthread_exit(0);
}
