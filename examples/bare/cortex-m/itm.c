/* gmon.out by the Instrumentation Trace Macrocell (ITM) that a Cortex-M3 and larger ones have, over the pin SWO. A debugger's probe
 * records the trace, in which `gmon recover` finds the profile. With OpenOCD, where 25000000 is the processor's clock:
 *
 *   tpiu config internal trace uart off 25000000
 *   itm port 1 on
 *
 * Port 0 is left to text. The program waits while the macrocell has no room, so that nothing is lost. The registers are those of
 * ARM's "ARMv7-M Architecture Reference Manual", C1.7.
 */
#include <stdint.h>

#include "board.h"

#ifndef ITM
#define ITM 0xe0000000
#endif

#define PORT 1
#define STIMULUS (ITM + 4 * PORT)
#define HAS_ROOM (*(volatile uint32_t *)STIMULUS & 1)
#define ENABLED_PORTS (*(volatile uint32_t *)(ITM + 0xe00))
#define CONTROL (*(volatile uint32_t *)(ITM + 0xe80))

__attribute__((noinline)) NOT_PROFILED void send_word(uint32_t word)
{
    while (!HAS_ROOM)
        ;
    *(volatile uint32_t *)STIMULUS = word;
}

__attribute__((noinline)) NOT_PROFILED void send_byte(uint8_t byte)
{
    while (!HAS_ROOM)
        ;
    *(volatile uint8_t *)STIMULUS = byte;
}

void sink_open(void)
{
}

/* Fails if no debugger has enabled the macrocell and the port. */
int sink_write(const void *bytes, size_t count)
{
    const char *next = bytes;
    if (!(CONTROL & 1) || !(ENABLED_PORTS & 1u << PORT))
        return -1;
    for (; count >= 4; count -= 4, next += 4) {
        uint32_t word;
        __builtin_memcpy(&word, next, 4);
        send_word(word);
    }
    while (count--)
        send_byte(*next++);
    return 0;
}

void sink_close(void)
{
}
