/* A program may look at one part of its work only: `moncontrol(0)` pauses profile and sampling,
   `moncontrol(1)` resumes them; what was counted before is kept. */
/*# arc main -> work 15 */
/*# arc work -> step 150 */
#include "counted.h"

/* No header of the C library declares it. */
void moncontrol(int mode);

COUNTED void step(void)
{
    BARRIER();
}

COUNTED void work(void)
{
    for (int i = 0; i < 10; i++)
        step();
    BARRIER();
}

static inline __attribute__((always_inline)) void work_times(int times)
{
    for (int i = 0; i < times; i++)
        work();
}

int main(void)
{
    work_times(10);
    moncontrol(0);
    work_times(1000);
    moncontrol(1);
    work_times(5);
    return 0;
}
