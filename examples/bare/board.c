/* The board: timer, console, and what the profiling runtime has to know of it. */
#include <gmon.h>
#include <stdint.h>

#include "board.h"

/* Where qemu's `virt` has its devices. */
#define UART ((volatile uint8_t *)0x10000000)
#define TEST_DEVICE (*(volatile uint32_t *)0x100000)
#define TIME (*(volatile uint64_t *)0x0200bff8)
#define TIME_COMPARE (*(volatile uint64_t *)0x02004000)
#define TIME_PER_SECOND 10000000

#define TICKS_PER_SECOND 1000

/* --- What gmon asks for ------------------------------------------------------------------------- */

#ifndef PROFILE_MEMORY
#define PROFILE_MEMORY (64 * 1024)
#endif

static uint64_t profile_memory[PROFILE_MEMORY / 8];
extern const char __text_start[], __text_end[];

static void say(const char *text, size_t length)
{
    while (length--)
        *UART = *text++;
}

const struct gmon_board gmon_board = {
    .memory = profile_memory,
    .memory_end = profile_memory + sizeof profile_memory / sizeof *profile_memory,
    .text = __text_start,
    .text_end = __text_end,
    .ticks_per_second = TICKS_PER_SECOND,
    .write = sink_write,
    .say = say,
};

/* --- The timer ---------------------------------------------------------------------------------- */

static uint64_t period;

/* The entry of all interrupts: only the timer's is enabled. It has no caller that a hook could count. */
__attribute__((interrupt("machine"), aligned(4))) NOT_PROFILED void interrupt(void)
{
    unsigned long pc;
    __asm__ volatile("csrr %0, mepc" : "=r"(pc));
    TIME_COMPARE += period;
    GMON_TICK(pc);
    timer_tick();
}

void start_timer(unsigned per_second)
{
    period = TIME_PER_SECOND / per_second;
    TIME_COMPARE = TIME + period;
    __asm__ volatile("csrs mie, %0" ::"r"(1 << 7));
    __asm__ volatile("csrs mstatus, %0" ::"r"(1 << 3));
}

void stop_timer(void)
{
    __asm__ volatile("csrc mie, %0" ::"r"(1 << 7));
}

/* --- Console and power -------------------------------------------------------------------------- */

void print(const char *text)
{
    while (*text)
        *UART = *text++;
}

void print_number(unsigned long number)
{
    if (number >= 10)
        print_number(number / 10);
    *UART = '0' + number % 10;
}

void power_off(void)
{
    for (;;)
        TEST_DEVICE = 0x5555;
}
