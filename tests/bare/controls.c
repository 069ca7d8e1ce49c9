/* What the program asks of the runtime, and the answers. */
#include <gmon.h>

#include "board.h"

void timer_tick(void) {}

__attribute__((noinline)) static void work(int times)
{
    __asm__ volatile("" ::"r"(times));
    if (times > 1)
        work(times - 1);
    __asm__ volatile("");
}

static void show(const char *what, int result)
{
    print(what);
    print(result == 0 ? ": written\n" : ": not written\n");
}

int main(void)
{
    work(100);
    show("before the start", gmon_snapshot());

    gmon_start();
    gmon_start();
    work(3);
    show("without a sink", gmon_snapshot());
    gmon_stop();
    work(100);
    sink_open();
    show("paused", gmon_snapshot());
    sink_close();
    gmon_start();
    work(4);
    sink_open();
    _mcleanup();
    sink_close();
    work(100);
    show("finished", gmon_snapshot());

    /* From zero. */
    gmon_start();
    work(100);
    gmon_reset();
    work(7);
    moncontrol(0);
    work(100);
    moncontrol(1);
    work(1);
    sink_open();
    show("again", gmon_snapshot());
    sink_close();
    return 0;
}
