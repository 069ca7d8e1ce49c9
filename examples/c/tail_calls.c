/* A call in tail position is compiled to a jump and leaves no return address of its own: the call
   from `second` to `third` counts for whoever called `second`. All calls are counted, for the
   function that execution will return to. */
/*# arc main -> first 10 */
/*# arc first -> second 10 */
/*# arc first -> third 10 */
/*# not unoptimised: there it is a call like any other */ /*# not dormant, unoptimised: there it is a call like any other */
#include "counted.h"

static COUNTED int third(int value)
{
    BARRIER();
    return value + 1;
}

static COUNTED int second(int value)
{
    BARRIER();
    return third(value * 2);
}

COUNTED int first(int value)
{
    int result = second(value + 3);

    BARRIER();
    return result;
}

int main(void)
{
    int sum = 0;

    for (int i = 0; i < 10; i++)
        sum += first(i);
    return sum != 160;
}
