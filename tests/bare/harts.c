/* Four harts call the same functions at the same time, and begin together, so that they meet when arcs are
   counted for the first time. */
#include <gmon.h>

#include "board.h"

#define HARTS 4
#define TIMES 20000

static volatile int may_start = -1;
static int finished = 0;

#define FUNCTION(name) \
    __attribute__((noinline)) static void name(void) { __asm__ volatile("/* " #name " */"); }
#define ALL(DO) \
    DO(f0) DO(f1) DO(f2) DO(f3) DO(f4) DO(f5) DO(f6) DO(f7) DO(f8) DO(f9) DO(f10) DO(f11) DO(f12) DO(f13) \
    DO(f14) DO(f15) DO(f16) DO(f17) DO(f18) DO(f19)
ALL(FUNCTION)

#define CALL(name) name();

/* Called by the timer's interrupt handler, on one hart. */
static volatile unsigned long ticks;
void timer_tick(void)
{
    f0();
    ticks++;
}

__attribute__((noinline)) static void work(void)
{
    for (int i = 0; i < TIMES; i++) {
        ALL(CALL)
    }
}

NOT_PROFILED void other_hart(void)
{
    while (may_start != 1)
        ;
    work();
    __atomic_fetch_add(&finished, 1, __ATOMIC_RELEASE);
    for (;;)
        ;
}

int main(void)
{
    gmon_start();
    start_timer(gmon_board.ticks_per_second);
    may_start = 1;
    work();
    while (__atomic_load_n(&finished, __ATOMIC_ACQUIRE) != HARTS - 1)
        ;
    stop_timer();
    gmon_stop();
    print("ticks: ");
    print_number(ticks);
    print("\n");
    sink_open();
    gmon_snapshot();
    sink_close();
    return 0;
}
