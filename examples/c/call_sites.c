/* Callers packed into a few bytes: each call site is counted for the function it lies in, however
   close the next function begins. (Buckets of 16 bytes would give all calls to one caller.) */
/*# arc one -> leaf 1 */
/*# arc two -> leaf 20 */
/*# arc three -> leaf 300 */
/*# arc four -> leaf 4000 */
/*# arc many_sites -> leaf 8000 */
#include "counted.h"

COUNTED void leaf(void)
{
    BARRIER();
}

#define PACKED __attribute__((aligned(1))) COUNTED

PACKED void one(void)   { leaf(); BARRIER(); }
PACKED void two(void)   { leaf(); BARRIER(); }
PACKED void three(void) { leaf(); BARRIER(); }
PACKED void four(void)  { leaf(); BARRIER(); }

PACKED void many_sites(void)
{
    leaf(); leaf(); leaf(); leaf();
    leaf(); leaf(); leaf(); leaf();
    BARRIER();
}

int main(void)
{
    int i;

    one();
    for (i = 0; i < 20; i++)
        two();
    for (i = 0; i < 300; i++)
        three();
    for (i = 0; i < 4000; i++)
        four();
    for (i = 0; i < 1000; i++)
        many_sites();
    return 0;
}
