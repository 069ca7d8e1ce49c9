/* Functions that run before and after `main`: constructors, and callbacks given to `atexit`. */
/*# arc <outside> -> early 1 */
/*# arc <outside> -> late 1 */
/*# arc <outside> -> main 1 */
/*# arc <outside> -> at_exit 3 */
/*# arc early -> work 5 */
/*# arc late -> work 7 */
/*# arc at_exit -> work 30 */
#include <stdlib.h>
#include "counted.h"

COUNTED void work(int times);

COUNTED __attribute__((constructor(200))) void early(void)
{
    for (int i = 0; i < 5; i++)
        work(i);
    BARRIER();
}

COUNTED __attribute__((constructor)) void late(void)
{
    for (int i = 0; i < 7; i++)
        work(i);
    BARRIER();
}

COUNTED void at_exit(void)
{
    for (int i = 0; i < 10; i++)
        work(i);
    BARRIER();
}

COUNTED void work(int times)
{
    (void)times;
    BARRIER();
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        atexit(at_exit);
    return 0;
}
