/* What programs use of the board: qemu's `virt` machine for RISC-V. */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>

/* For functions that are not called by others, such as interrupt handlers. */
#define NOT_PROFILED __attribute__((no_instrument_function))

/* Interrupts the program so often, and calls `timer_tick` each time. */
void start_timer(unsigned per_second);
void stop_timer(void);

/* The program's own share of the timer interrupt. */
void timer_tick(void);

/* Prints text. */
void print(const char *text);
void print_number(unsigned long number);

/* Stops the machine. */
void power_off(void) __attribute__((noreturn));

/* The way to the computer that runs the debugger or emulator: gmon.out between open and close. */
void sink_open(void);
int sink_write(const void *bytes, size_t count);
void sink_close(void);

#endif
