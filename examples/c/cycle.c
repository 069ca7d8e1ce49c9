/* The cycle of the gprof manual: main calls a once, a calls b three times, b calls a twice,
   and each of the two calls c three times. Nobody can say how long "a with its children" took
   when b is a child of a and a parent too, so the call graph treats {a, b} as one thing. */
/*# arc <outside> -> main 1/1 */
/*# arc main -> a 1/1 */
/*# arc a -> b 3 */
/*# arc b -> a 2 */
/*# arc a -> c 3/6 */
/*# arc b -> c 3/6 */
/*# cycle a b 1+5 */
#include "counted.h"

void b(void);

COUNTED void c(void)
{
    for (int i = 0; i < 1000 * 1000; i++)
        BARRIER();
}

COUNTED void a(void)
{
    c();
    b();
    BARRIER();
}

COUNTED void b(void)
{
    static int rounds;

    c();
    if (++rounds < 3)
        a();
    BARRIER();
}

int main(void)
{
    a();
    return 0;
}
