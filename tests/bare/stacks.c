/* Two tasks, each with a stack of its own, between which the timer switches at any instruction, as a small operating
   system does. How registers are exchanged is the machine's part. */
#include <gmon.h>
#include <stdint.h>

#include "board.h"

#define ROUNDS 20000
#define SWITCHES_PER_SECOND 5003

#define FUNCTION(name) \
    __attribute__((noinline)) static void name(void) { __asm__ volatile("/* " #name " */"); }
#define ALL(DO) DO(f0) DO(f1) DO(f2) DO(f3) DO(f4) DO(f5) DO(f6) DO(f7)
#define CALL(name) name();
ALL(FUNCTION)

static uintptr_t second_stack[256] __attribute__((aligned(16)));
static uintptr_t *waiting;
static volatile int is_finished;
static volatile unsigned long switches;

__attribute__((noinline)) static void work(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        ALL(CALL)
    }
}

static void second_task(void)
{
    work();
    is_finished = 1;
    for (;;)
        ;
}

/* The stack of the task that goes on, for that of the one that is stopped. */
__attribute__((noinline)) uintptr_t *other_stack(uintptr_t *stack)
{
    uintptr_t *other = waiting;
    waiting = stack;
    switches++;
    f0();
    return other;
}

#include "stacks.h"

int main(void)
{
    begin_tasks();
    gmon_start();
    start_timer(SWITCHES_PER_SECOND);
    work();
    while (!is_finished)
        ;
    stop_timer();
    gmon_stop();
    print("switches: ");
    print_number(switches);
    print("\n");
    sink_open();
    gmon_snapshot();
    sink_close();
    return 0;
}
