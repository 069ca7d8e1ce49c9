/* Interrupts that interrupt each other, all of them counting the same calls as the program: SysTick, often and at any
   instruction, and another of higher priority that its handler asks for. */
#include <gmon.h>
#include <stdint.h>

#include "board.h"

#define ROUNDS 20000

#define SYSTEM_PRIORITIES (*(volatile uint32_t *)0xe000ed20)
#define ENABLE (*(volatile uint32_t *)0xe000e100)
#define PEND (*(volatile uint32_t *)0xe000e200)
#define PRIORITIES (*(volatile uint32_t *)0xe000e400)

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
    PEND = 1;
    __asm__ volatile("dsb\n isb");
    all();
    NO_JUMP;
}

/* Has a hook like any function; its caller is the processor. */
void interrupt_0(void)
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
    SYSTEM_PRIORITIES = 0xc0000000;
    PRIORITIES = 0x40;
    ENABLE = 1;
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
