/* Coroutines that run on small stacks of their own, switched by `swapcontext`. */
/*# arc <outside> -> coroutine 4 */
/*# arc coroutine -> yield 4000 */
/*# arc main -> resume 4004 */
/*# not sparc64: there a context that ends ends the program on the emulator */
#include <stdint.h>
#include <ucontext.h>
#include "counted.h"

#define COROUTINES 4
#define STEPS 1000

static ucontext_t scheduler, contexts[COROUTINES];
static char stacks[COROUTINES][16 * 1024] __attribute__((aligned(16)));
static int current, finished;

COUNTED void yield(void)
{
    swapcontext(&contexts[current], &scheduler);
    BARRIER();
}

COUNTED void coroutine(int steps)
{
    while (steps-- > 0)
        yield();
    finished++;
}

COUNTED void resume(int which)
{
    current = which;
    swapcontext(&scheduler, &contexts[which]);
    BARRIER();
}

int main(void)
{
    int i, step;

    for (i = 0; i < COROUTINES; i++) {
        getcontext(&contexts[i]);
        contexts[i].uc_stack.ss_sp = stacks[i];
        contexts[i].uc_stack.ss_size = sizeof stacks[i];
        contexts[i].uc_link = &scheduler;
        makecontext(&contexts[i], (void (*)(void))coroutine, 1, STEPS);
    }
    for (step = 0; step <= STEPS; step++)
        for (i = 0; i < COROUTINES; i++)
            resume(i);
    return finished != COROUTINES;
}
