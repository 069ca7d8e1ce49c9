/* Two threads that spend their time in `price`, called by `buy` far more often than by `sell`, for which it
 * takes far longer; a function that calls itself, and two that call each other. */

#define _GNU_SOURCE

#include <pthread.h>

#define NOINLINE __attribute__((noinline, noclone))

static __thread volatile double sum;

NOINLINE void price(int times)
{
    for (int i = 0; i < times; i++)
        sum += i * 0.5;
}

NOINLINE void buy(void)
{
    for (int i = 0; i < 3000; i++)
        price(10);
    sum += 1;
}

NOINLINE void sell(void)
{
    for (int i = 0; i < 100; i++)
        price(800000);
    sum += 1;
}

NOINLINE void count(int depth)
{
    if (depth > 0)
        count(depth - 1);
    sum += 1;
}

NOINLINE void pong(int times);

NOINLINE void ping(int times)
{
    if (times > 0)
        pong(times - 1);
    sum += 1;
}

NOINLINE void pong(int times)
{
    if (times > 0)
        ping(times - 1);
    sum += 1;
}

NOINLINE void *work(void *unused)
{
    buy();
    sell();
    return unused;
}

int main(void)
{
    pthread_t worker;
    pthread_create(&worker, 0, work, 0);
    pthread_setname_np(worker, "clerk");
    buy();
    sell();
    count(7);
    ping(20);
    pthread_join(worker, 0);
    return 0;
}
