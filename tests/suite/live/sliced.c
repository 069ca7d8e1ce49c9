/* Two coroutines that take turns in the same memory, as greenlets of Python do: what the other has there is copied elsewhere meanwhile.
   Each calls `waits` at the same place of the stack, and is in it for a while. Prints "done". */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#define TIMED __attribute__((noipa))
enum { ROUNDS = 50, LEAST = 1000000, SIZE = 16 << 10 };

static ucontext_t here, there[2];
static char stack[SIZE] __attribute__((aligned(16))), copies[2][SIZE];
static volatile int sum;

TIMED void spin(void)
{
    struct timespec begun, now;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - begun.tv_sec) * 1000000000L + now.tv_nsec - begun.tv_nsec < LEAST);
}

TIMED int waits(int which, int n)
{
    swapcontext(&there[which], &here);
    return sum + n;
}

static void run(int which)
{
    /* What stays in registers while it calls tells the coroutines apart. */
    for (int n = 1000 * which;; n++)
        sum = waits(which, n) + n;
}

static void turn(int which)
{
    memcpy(stack, copies[which], SIZE);
    swapcontext(&here, &there[which]);
    memcpy(copies[which], stack, SIZE);
}

int main(void)
{
    for (int which = 0; which < 2; which++) {
        getcontext(&there[which]);
        there[which].uc_stack.ss_sp = stack;
        there[which].uc_stack.ss_size = SIZE;
        makecontext(&there[which], (void (*)(void))run, 1, which);
        memcpy(copies[which], stack, SIZE);
    }
    /* Each call lasts from a turn of its coroutine to the next: at first there is but one. */
    for (int n = 0; n < ROUNDS; n++) {
        turn(0);
        spin();
    }
    for (int n = 0; n < ROUNDS; n++) {
        turn(0);
        spin();
        turn(1);
    }
    puts("done");
    return 0;
}
