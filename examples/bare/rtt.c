/* gmon.out through a ring in memory that a debugger empties while the program runs, by SEGGER's RTT, which J-Link, OpenOCD
 * and probe-rs speak. They find the ring by the name in front of it. With OpenOCD:
 *
 *   rtt setup 0x20000000 0x10000 "SEGGER RTT"
 *   rtt start
 *   rtt server start 9090 0
 *
 * and `nc localhost 9090 > gmon.out`. The program waits when the ring is full: nothing is lost, but somebody has to read.
 */
#include <stdint.h>

#include "board.h"

#ifndef RING
#define RING 256
#endif

/* What both sides know of a ring: the program writes at `in`, the debugger reads at `out`; they are equal if it is empty. */
struct ring {
    const char *name;
    char *bytes;
    uint32_t size;
    volatile uint32_t in;
    volatile uint32_t out;
    uint32_t flags;
};

enum { WAIT_IF_FULL = 2 };

static char bytes[RING];

/* One ring up to the debugger, none down to the board. The name is made at run time, so that it is found once. */
struct {
    volatile char name[16];
    int32_t up_count;
    int32_t down_count;
    struct ring up;
} rtt = {.up_count = 1, .up = {.name = "gmon.out", .bytes = bytes, .size = RING, .flags = WAIT_IF_FULL}};

/* The debugger has to see the bytes before it sees that they are there. */
static void order(void)
{
#ifdef __riscv
    __asm__ volatile("fence" ::: "memory");
#else
    __asm__ volatile("dmb" ::: "memory");
#endif
}

/* Called as long as the ring is full. */
__attribute__((noinline)) NOT_PROFILED void rtt_wait(void)
{
    __asm__ volatile("" ::: "memory");
}

void sink_open(void)
{
    static const char reversed[] = "TTR REGGES";
    for (unsigned i = 0; i < sizeof reversed - 1; i++)
        rtt.name[i] = reversed[sizeof reversed - 2 - i];
    order();
}

int sink_write(const void *from, size_t count)
{
    const char *byte = from;
    while (count--) {
        uint32_t in = rtt.up.in, next = in + 1 == RING ? 0 : in + 1;
        while (next == rtt.up.out)
            rtt_wait();
        rtt.up.bytes[in] = *byte++;
        order();
        rtt.up.in = next;
    }
    return 0;
}

/* The debugger may be late. */
void sink_close(void)
{
    while (rtt.up.in != rtt.up.out)
        rtt_wait();
}
