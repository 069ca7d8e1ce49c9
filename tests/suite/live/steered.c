/* N threads call `work` until the standard input ends. Each says how often in a file, `own`, whose numbers are 64
   bytes apart: a call counts there after it was counted in the profile. Without threads the program waits. */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include "counted.h"

struct own {
    uint64_t calls;
    char rest[56];
};

static struct own *own;
static volatile int has_ended;

COUNTED void work(struct own *own)
{
    __atomic_store_n(&own->calls, own->calls + 1, __ATOMIC_RELEASE);
}

static void *run(void *own)
{
    while (!has_ended)
        work(own);
    return 0;
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 0, file = open("own", O_CREAT | O_RDWR, 0600), i;
    pthread_t threads[16];
    char byte;

    if (file < 0 || ftruncate(file, 4096) != 0)
        abort();
    own = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    for (i = 0; i < count; i++)
        if (pthread_create(&threads[i], 0, run, &own[i]) != 0)
            abort();
    puts("ready");
    fflush(stdout);
    while (read(0, &byte, 1) > 0)
        work(&own[15]);
    has_ended = 1;
    for (i = 0; i < count; i++)
        pthread_join(threads[i], 0);
    return 0;
}
