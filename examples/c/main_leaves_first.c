/* `main` ends by `pthread_exit`; the program lives on until its last thread ends. */
/*# flags -pthread */
/*# arc <outside> -> main 1 */
/*# arc <outside> -> survivor 2 */
/*# arc survivor -> work 2000 */
#include <pthread.h>
#include <unistd.h>
#include "counted.h"

COUNTED void work(void)
{
    BARRIER();
}

COUNTED void *survivor(void *unused)
{
    usleep(2000);
    for (int i = 0; i < 1000; i++)
        work();
    return unused;
}

int main(void)
{
    pthread_t threads[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, survivor, 0);
    pthread_exit(0);
}
