/* `exit` in a thread with the smallest stack there is: writing the data file must not need more. */
/*# flags -pthread */
/*# status 5 */
/*# arc <outside> -> leave 1 */
/*# arc leave -> work 10 */
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include "counted.h"

COUNTED void work(void)
{
    BARRIER();
}

COUNTED void *leave(void *unused)
{
    (void)unused;
    for (int i = 0; i < 10; i++)
        work();
    exit(5);
}

int main(void)
{
    pthread_attr_t small;
    pthread_t thread;

    pthread_attr_init(&small);
    if (pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN) != 0
        || pthread_create(&thread, &small, leave, 0) != 0)
        return 1;
    for (;;)
        pause();
}
