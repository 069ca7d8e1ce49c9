/* Interrupts that interrupt each other, all of them counting the same calls as the program: the timer's, often and at any
   instruction, and another that its handler asks for, and that interrupts it. */
#include <gmon.h>

#include "board.h"
#include "nested.h"

#define ROUNDS 20000

#define FUNCTION(name) \
    __attribute__((noinline)) static void name(void) { __asm__ volatile("/* " #name " */"); }
#define ALL(DO) DO(f0) DO(f1) DO(f2) DO(f3) DO(f4) DO(f5) DO(f6) DO(f7)
#define CALL(name) name();
/* A call at the end of a function would be a jump. */
#define NO_JUMP __asm__ volatile("")
ALL(FUNCTION)

__attribute__((noinline)) static void all(void)
{
    ALL(CALL)
    NO_JUMP;
}

static volatile unsigned long ticks, others;

void timer_tick(void)
{
    ticks++;
    all();
    interrupt_handler();
    all();
    NO_JUMP;
}

/* Has a hook like any function; its caller is the processor, or has none. */
__attribute__((noinline)) void interrupt_0(void)
{
    others++;
    all();
    NO_JUMP;
}

__attribute__((noinline)) static void work(void)
{
    for (int i = 0; i < ROUNDS; i++)
        all();
}

int main(void)
{
    allow_nesting();
    gmon_start();
    start_timer(9973);
    work();
    stop_timer();
    gmon_stop();
    print("ticks: ");
    print_number(ticks);
    print("\nothers: ");
    print_number(others);
    print("\n");
    sink_open();
    gmon_snapshot();
    sink_close();
    return 0;
}
