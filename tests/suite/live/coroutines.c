/* Coroutines whose stacks lie side by side, each of which waits in calls inside of calls, at depths of its own, until all others had
   their turn. Prints "done". */
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>

#define TIMED __attribute__((noipa))
enum { COROUTINES = 50, TURNS = 6, LEAST = 100000, SIZE = 64 << 10 };

static ucontext_t here, there[COROUTINES];
static volatile int sum;

static void spin(void)
{
    struct timespec begun, now;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - begun.tv_sec) * 1000000000L + now.tv_nsec - begun.tv_nsec < LEAST);
}

TIMED int waits(int which)
{
    swapcontext(&there[which], &here);
    return sum;
}

TIMED int deeper(int which, int depth)
{
    volatile char frame[1500];

    frame[0] = depth;
    return (depth ? deeper(which, depth - 1) : waits(which)) + frame[0];
}

static void run(int which)
{
    for (;;)
        sum = deeper(which, which % 20);
}

int main(void)
{
    char *stacks = mmap(0, COROUTINES * SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    for (int which = 0; which < COROUTINES; which++) {
        getcontext(&there[which]);
        there[which].uc_stack.ss_sp = stacks + which * SIZE;
        there[which].uc_stack.ss_size = SIZE;
        makecontext(&there[which], (void (*)(void))run, 1, which);
    }
    for (int turn = 0; turn < TURNS; turn++)
        for (int which = 0; which < COROUTINES; which++) {
            swapcontext(&here, &there[which]);
            spin();
        }
    puts("done");
    return 0;
}
