/* Functions that the C library calls on a thread's behalf: its start routine, the routine of a
   pthread_once and the destructor of a thread-specific value. (A cleanup handler is called by the
   function that pushed it, so says the header.) */
/*# flags -pthread */
/*# arc <outside> -> first_kind 3 */
/*# arc <outside> -> second_kind 2 */
/*# arc <outside> -> detached 1 */
/*# arc <outside> -> initialise 1 */
/*# arc <outside> -> dispose 5 */
/*# arc second_kind -> clean_up 2 */
/*# arc first_kind -> work 3 */
/*# arc second_kind -> work 2 */
/*# arc detached -> work 1 */
/*# arc dispose -> work 5 */
#include <pthread.h>
#include <semaphore.h>
#include "counted.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static sem_t detached_is_done;
/* Its destructor is the C library's sem_post itself: it comes when the last line of `detached` was executed, and has
   none of its own that the end of the program could cut off. */
static pthread_key_t until_detached_is_done;

COUNTED void work(void)
{
    BARRIER();
}

COUNTED void dispose(void *value)
{
    (void)value;
    work();
    BARRIER();
}

COUNTED void initialise(void)
{
    pthread_key_create(&key, dispose);
}

COUNTED void clean_up(void *unused)
{
    (void)unused;
    BARRIER();
}

COUNTED void *first_kind(void *value)
{
    pthread_once(&once, initialise);
    pthread_setspecific(key, value);
    work();
    return 0;
}

COUNTED void *second_kind(void *value)
{
    pthread_once(&once, initialise);
    pthread_setspecific(key, value);
    work();
    pthread_cleanup_push(clean_up, 0);
    pthread_exit(0);
    pthread_cleanup_pop(0);
    return 0;
}

COUNTED void *detached(void *unused)
{
    pthread_setspecific(until_detached_is_done, &detached_is_done);
    work();
    return unused;
}

int main(void)
{
    pthread_t threads[5], lone;
    int i;

    sem_init(&detached_is_done, 0, 0);
    pthread_key_create(&until_detached_is_done, (void (*)(void *))(void (*)(void))sem_post);
    for (i = 0; i < 5; i++)
        pthread_create(&threads[i], 0, i < 3 ? first_kind : second_kind, &once);
    for (i = 0; i < 5; i++)
        pthread_join(threads[i], 0);
    pthread_create(&lone, 0, detached, 0);
    pthread_detach(lone);
    while (sem_wait(&detached_is_done) != 0)
        continue;
    return 0;
}
