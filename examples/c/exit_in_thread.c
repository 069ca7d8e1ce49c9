/* A thread ends the program by `exit` while the others are still calling functions. What had been
   called before is counted exactly; the file is complete although nobody stops for it. */
/*# flags -pthread */
/*# status 7 */
/*# not C library: it frees its counts while threads go on counting */
/*# not C library, static: it frees its counts while threads go on counting */
/*# arc <outside> -> busy 3 */
/*# arc <outside> -> last 1 */
/*# arc last -> leave 1 */
/*# arc leave -> settled 1000 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include "counted.h"

static pthread_barrier_t running;

COUNTED void endless(void)
{
    BARRIER();
}

COUNTED void settled(void)
{
    BARRIER();
}

COUNTED void leave(int status)
{
    for (int i = 0; i < 1000; i++)
        settled();
    exit(status);
}

COUNTED void *busy(void *unused)
{
    (void)unused;
    pthread_barrier_wait(&running);
    for (;;)
        endless();
    return 0;
}

COUNTED void *last(void *unused)
{
    pthread_barrier_wait(&running);
    leave(7);
    return unused;
}

int main(void)
{
    pthread_t thread;

    pthread_barrier_init(&running, 0, 4);
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, 0, busy, 0);
    pthread_create(&thread, 0, last, 0);
    for (;;)
        pause();
}
