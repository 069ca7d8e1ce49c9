/* `main` ends by `pthread_exit`; the program lives on until its last thread ends. */
/*# flags -pthread */
/*# arc <outside> -> main 1 */
/*# arc <outside> -> survivor 2 */
/*# arc survivor -> work 2000 */
#include <pthread.h>
#include "counted.h"

static pthread_barrier_t main_has_left;

COUNTED void work(void)
{
    BARRIER();
}

/* One of the two waits for the end of the thread that it gets, and the other for the one. */
COUNTED void *survivor(void *first)
{
    if (first)
        pthread_join(*(pthread_t *)first, 0);
    pthread_barrier_wait(&main_has_left);
    for (int i = 0; i < 1000; i++)
        work();
    return 0;
}

int main(void)
{
    static pthread_t first;
    pthread_t thread;

    first = pthread_self();
    pthread_barrier_init(&main_has_left, 0, 2);
    pthread_create(&thread, 0, survivor, &first);
    pthread_create(&thread, 0, survivor, 0);
    pthread_exit(0);
}
