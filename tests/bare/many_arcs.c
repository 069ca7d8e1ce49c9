/* More arcs than a small block of memory has room for: sixty functions, each called ten times by each of two
   others. */
#include <gmon.h>

#include "board.h"

#define FUNCTION(name) \
    __attribute__((noinline)) static void name(void) { __asm__ volatile("/* " #name " */"); }
#define TEN(DO, n) DO(n##0) DO(n##1) DO(n##2) DO(n##3) DO(n##4) DO(n##5) DO(n##6) DO(n##7) DO(n##8) DO(n##9)
#define SIXTY(DO) TEN(DO, f1) TEN(DO, f2) TEN(DO, f3) TEN(DO, f4) TEN(DO, f5) TEN(DO, f6)
SIXTY(FUNCTION)

#define CALL(name) name();

void timer_tick(void) {}

/* Functions that were the same would be made one. */
#define CALLS_ALL(name) \
    __attribute__((noinline)) static void name(void) \
    { \
        __asm__ volatile("/* " #name " */"); \
        SIXTY(CALL) \
    }
CALLS_ALL(first)
CALLS_ALL(second)

int main(void)
{
    gmon_start();
    for (int i = 0; i < 10; i++) {
        first();
        second();
    }
    gmon_stop();
    sink_open();
    print(gmon_snapshot() == 0 ? "written\n" : "not written\n");
    sink_close();
    return 0;
}
