/* Coroutines on stacks of one page, each with a page before it that may not be touched. They are the
   first in their thread to call a hook, and go on in another thread than they began in. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include "counted.h"

#define THREADS 8
#define STEPS 2000
#define PAGE 4096

#define NOT_COUNTED __attribute__((no_instrument_function, noinline))

struct coroutine {
    ucontext_t own, caller;
};

COUNTED void work(void)
{
    BARRIER();
}

COUNTED void step(struct coroutine *this)
{
    int i;

    /* Long enough for a sample now and then. */
    for (i = 0; i < 2000; i++)
        work();
    swapcontext(&this->own, &this->caller);
    BARRIER();
}

COUNTED void body(unsigned high, unsigned low)
{
    struct coroutine *this = (void *)((unsigned long)high << 32 | low);
    int i;

    for (i = 0; i < STEPS; i++)
        step(this);
}

NOT_COUNTED static struct coroutine *new_coroutine(void)
{
    struct coroutine *this = malloc(sizeof *this);
    char *stack = mmap(0, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    mprotect(stack, PAGE, PROT_NONE);
    getcontext(&this->own);
    this->own.uc_stack.ss_sp = stack + PAGE;
    this->own.uc_stack.ss_size = PAGE;
    this->own.uc_link = &this->caller;
    makecontext(&this->own, (void (*)(void))body, 2, (unsigned)((unsigned long)this >> 32),
                (unsigned)(unsigned long)this);
    return this;
}

NOT_COUNTED static void *resume_half(void *coroutine)
{
    struct coroutine *this = coroutine;
    int i;

    for (i = 0; i < STEPS / 2; i++)
        swapcontext(&this->caller, &this->own);
    return 0;
}

NOT_COUNTED static void *new_and_half(void *place)
{
    struct coroutine *this = new_coroutine();

    *(struct coroutine **)place = this;
    return resume_half(this);
}

NOT_COUNTED static void *rest(void *coroutine)
{
    struct coroutine *this = coroutine;

    resume_half(this);
    swapcontext(&this->caller, &this->own);
    return 0;
}

int main(void)
{
    struct coroutine *coroutines[THREADS];
    pthread_t threads[THREADS];
    int i;

    for (i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, new_and_half, &coroutines[i]);
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    for (i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, rest, coroutines[(i + 1) % THREADS]);
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
