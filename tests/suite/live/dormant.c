/* N threads call `always`, and ten functions that somebody switches meanwhile, at full speed, until the standard input ends.
   Each says in a file, `own`, how often: the calls of `always`, then of each of the others. SIGTRAP is blocked: nobody
   may need it. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include "counted.h"

struct own {
    uint64_t calls[16];
};

static volatile int has_ended;

static void count(uint64_t *calls)
{
    __atomic_store_n(calls, *calls + 1, __ATOMIC_RELEASE);
}

COUNTED void always(struct own *own) { count(&own->calls[0]); }

#define SWITCHED(n) \
    COUNTED void switched_##n(struct own *own) { count(&own->calls[n + 1]); }

SWITCHED(0) SWITCHED(1) SWITCHED(2) SWITCHED(3) SWITCHED(4)
SWITCHED(5) SWITCHED(6) SWITCHED(7) SWITCHED(8) SWITCHED(9)

static void *run(void *data)
{
    struct own *own = data;

    while (!has_ended) {
        always(own);
        switched_0(own), switched_1(own), switched_2(own), switched_3(own), switched_4(own);
        switched_5(own), switched_6(own), switched_7(own), switched_8(own), switched_9(own);
    }
    return 0;
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 0, file = open("own", O_CREAT | O_RDWR, 0600), i;
    struct own *own;
    pthread_t threads[16];
    sigset_t traps;
    char byte;

    sigemptyset(&traps);
    sigaddset(&traps, SIGTRAP);
    pthread_sigmask(SIG_BLOCK, &traps, 0);
    if (file < 0 || ftruncate(file, 4096) != 0)
        abort();
    own = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    for (i = 0; i < count; i++)
        if (pthread_create(&threads[i], 0, run, &own[i]) != 0)
            abort();
    puts("ready");
    fflush(stdout);
    while (read(0, &byte, 1) > 0)
        ;
    has_ended = 1;
    for (i = 0; i < count; i++)
        pthread_join(threads[i], 0);
    return 0;
}
