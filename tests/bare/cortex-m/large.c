/* Counts beyond 32 bits: nobody waits for so many calls, so the program itself puts the counts of two arcs, as the
   table has them, right before a border, and calls on. */
#include <gmon.h>
#include <stdint.h>

#include "board.h"

void timer_tick(void) {}

#define FUNCTION(name) \
    __attribute__((noinline)) static void name(void) { __asm__ volatile("/* " #name " */"); }
FUNCTION(border)
FUNCTION(half)

/* An entry: its keys, the count's last 32 bits, and all but its last 31. */
struct entry {
    uint32_t self_pc, from_pc, low, high;
};

/* Makes one call so many. */
__attribute__((noinline)) NOT_PROFILED static void set(void (*function)(void), uint64_t count)
{
    struct entry *entry = gmon_board.memory, *end = gmon_board.memory_end;
    uint32_t start = (uintptr_t)function & ~1u;
    for (; entry != end; entry++)
        if (entry->self_pc > start && entry->self_pc < start + 12 && entry->low == 1) {
            entry->low = count;
            entry->high = count >> 31;
        }
}

int main(void)
{
    gmon_start();
    for (int i = 0; i < 10; i++) {
        if (i == 1) {
            set(border, (1ull << 32) - 4);
            set(half, (1ull << 31) - 4);
        }
        border();
        half();
    }
    gmon_stop();
    sink_open();
    gmon_snapshot();
    sink_close();
    return 0;
}
