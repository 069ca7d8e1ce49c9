/* A program that brings its own `malloc`, which is hooked: the C library calls it before `main`, in
   every thread's start, and in the middle of anything.
   Prints how often it was called: `malloc -> in_malloc CALLS`. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include "counted.h"

#define THREADS 4
#define ROUNDS 1000

static char heap[1 << 22] __attribute__((aligned(16)));
static atomic_size_t top, calls;

COUNTED void in_malloc(void)
{
    BARRIER();
}

COUNTED void *malloc(size_t size)
{
    size_t at = atomic_fetch_add(&top, (size + 31) & ~(size_t)15);

    in_malloc();
    atomic_fetch_add(&calls, 1);
    *(size_t *)(heap + at) = size;
    return heap + at + 16;
}

COUNTED void free(void *block)
{
    (void)block;
    BARRIER();
}

COUNTED void *calloc(size_t number, size_t size)
{
    /* The heap is never used twice. */
    void *block = malloc(number * size);

    BARRIER();
    return block;
}

COUNTED void *realloc(void *block, size_t size)
{
    void *larger = malloc(size);
    size_t old = block ? *(size_t *)((char *)block - 16) : 0;

    if (block)
        memcpy(larger, block, old < size ? old : size);
    return larger;
}

COUNTED void use(void)
{
    void *volatile block = malloc(10);

    free(block);
    BARRIER();
}

COUNTED void *run(void *unused)
{
    int i;

    (void)unused;
    for (i = 0; i < ROUNDS; i++)
        use();
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    int i;

    for (i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, run, 0);
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    setvbuf(stdout, 0, _IONBF, 0);
    printf("malloc -> in_malloc %zu\n", (size_t)calls);
    return 0;
}
