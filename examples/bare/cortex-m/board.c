/* The board: timer, console, and what the profiling runtime has to know of it. What is another on another machine is
 * in the machine's own header. */
#include <gmon.h>
#include <stdint.h>

#include "board.h"
#include MACHINE_HEADER

#define TICKS_PER_SECOND 1000

/* --- What gmon asks for ------------------------------------------------------------------------- */

#ifndef PROFILE_MEMORY
#define PROFILE_MEMORY (8 * 1024)
#endif

static uint64_t profile_memory[PROFILE_MEMORY / 8];
extern const char __text_start[], __text_end[];

static void say(const char *text, size_t length)
{
    while (length--)
        uart_send(*text++);
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

#define SYST_CSR (*(volatile uint32_t *)0xe000e010)
#define SYST_RVR (*(volatile uint32_t *)0xe000e014)
#define SYST_CVR (*(volatile uint32_t *)0xe000e018)

/* SysTick's interrupt, which interrupted the code at pc: start.S calls it. */
NOT_PROFILED void timer_handler(unsigned long pc)
{
    timer_tick();
    GMON_TICK(pc);
}

void start_timer(unsigned per_second)
{
    SYST_RVR = CLOCK / per_second - 1;
    SYST_CVR = 0;
    SYST_CSR = 7; /* the processor's clock, with interrupts, on */
}

void stop_timer(void)
{
    SYST_CSR = 0;
}

/* --- Console and power -------------------------------------------------------------------------- */

void print(const char *text)
{
    while (*text)
        uart_send(*text++);
}

void print_number(unsigned long number)
{
    if (number >= 10)
        print_number(number / 10);
    uart_send('0' + number % 10);
}

/* By semihosting: a board goes on, the emulator ends. */
void power_off(void)
{
    for (;;) {
        register uintptr_t what __asm__("r0") = 0x18;
        register uintptr_t reason __asm__("r1") = 0x20026;
        __asm__ volatile("bkpt 0xab" : "+r"(what) : "r"(reason) : "memory");
    }
}
