/* One function that the compiler puts into its caller and one that it does not. */
#include "counted.h"

static inline __attribute__((always_inline)) void inlined(void)
{
    BARRIER();
}

COUNTED void apart(void)
{
    inlined();
    BARRIER();
}

int main(void)
{
    int i;

    for (i = 0; i < 10; i++)
        apart();
    return 0;
}
