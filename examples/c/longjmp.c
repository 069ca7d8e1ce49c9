/* `longjmp` leaves functions that never return: their calls count all the same. */
/*# arc main -> attempt 100 */
/*# arc attempt -> dig 100 */
/*# arc dig -> dig 900 */
/*# arc dig -> give_up 100 */
/*# arc main -> after 100 */
#include <setjmp.h>
#include "counted.h"

static jmp_buf escape;

COUNTED void give_up(void)
{
    longjmp(escape, 1);
}

COUNTED void dig(int depth)
{
    if (depth == 0)
        give_up();
    else
        dig(depth - 1);
    BARRIER();
}

COUNTED void attempt(void)
{
    dig(9);
    BARRIER();
}

COUNTED void after(void)
{
    BARRIER();
}

int main(void)
{
    for (volatile int i = 0; i < 100; i++) {
        if (setjmp(escape) == 0)
            attempt();
        else
            after();
    }
    return 0;
}
