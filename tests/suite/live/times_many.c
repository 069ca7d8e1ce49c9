/* Threads come and go, N at a time, and each calls 40 functions a few times, until the standard input ends. */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define TIMED __attribute__((noipa))

static volatile int sink;

#define ONE(n) TIMED void f##n(void) { sink = n; }
#define TEN(n) ONE(n##0) ONE(n##1) ONE(n##2) ONE(n##3) ONE(n##4) ONE(n##5) ONE(n##6) ONE(n##7) ONE(n##8) ONE(n##9)
TEN(1) TEN(2) TEN(3) TEN(4)

#define CALL(n) f##n();
#define CALLS(n) CALL(n##0) CALL(n##1) CALL(n##2) CALL(n##3) CALL(n##4) CALL(n##5) CALL(n##6) CALL(n##7) CALL(n##8) CALL(n##9)

static void *run(void *unused)
{
    int round;

    for (round = 0; round < 100; round++) {
        CALLS(1) CALLS(2) CALLS(3) CALLS(4)
    }
    return unused;
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 0, i;
    struct pollfd input = { 0, POLLIN, 0 };
    pthread_t threads[16];

    puts("ready");
    fflush(stdout);
    while (poll(&input, 1, 0) == 0) {
        for (i = 0; i < count; i++)
            if (pthread_create(&threads[i], 0, run, 0) != 0)
                abort();
        for (i = 0; i < count; i++)
            pthread_join(threads[i], 0);
    }
    return 0;
}
