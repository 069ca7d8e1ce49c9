/* Eight threads call the same functions at the same time: not one call is lost. */
/*# flags -pthread */
/*# arc main -> shared 8 */
/*# arc <outside> -> worker 8 */
/*# arc worker -> shared 400000 */
/*# arc shared -> leaf 800016 */
#include <pthread.h>
#include "counted.h"

#define THREADS 8
#define ROUNDS 50000

static pthread_barrier_t start;

COUNTED void leaf(void)
{
    BARRIER();
}

COUNTED void shared(void)
{
    leaf();
    leaf();
    BARRIER();
}

COUNTED void *worker(void *unused)
{
    pthread_barrier_wait(&start);
    for (int i = 0; i < ROUNDS; i++)
        shared();
    return unused;
}

int main(void)
{
    pthread_t threads[THREADS];
    int i;

    pthread_barrier_init(&start, 0, THREADS);
    for (i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, worker, 0);
    for (i = 0; i < THREADS; i++) {
        shared();
        pthread_join(threads[i], 0);
    }
    return 0;
}
