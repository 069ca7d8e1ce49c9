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

/* Makes one call so many: that of the first hook in the function. */
__attribute__((noinline)) NOT_PROFILED static void set(void (*function)(void), uint64_t count)
{
    uintptr_t memory = ((uintptr_t)gmon_board.memory + sizeof(struct entry) - 1) & -sizeof(struct entry);
    struct entry *entry = (struct entry *)memory, *end = gmon_board.memory_end, *found = 0;
    uintptr_t start = (uintptr_t)function & ~1u;
    for (; entry + 1 <= end; entry++)
        if (entry->self_pc > start && entry->low == 1 && (!found || entry->self_pc < found->self_pc))
            found = entry;
    found->low = count;
    found->high = count >> 31;
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
