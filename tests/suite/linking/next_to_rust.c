/* Calls a Rust library, which calls back. */
#include <stdio.h>
#include "counted.h"

unsigned sum(unsigned (*item)(unsigned), unsigned items);

COUNTED unsigned leaf(unsigned item)
{
    BARRIER();
    return item;
}

COUNTED unsigned work(unsigned item)
{
    unsigned twice = leaf(item) + leaf(item);

    BARRIER();
    return twice / 2 + 3;
}

int main(void)
{
    printf("%u\n", sum(work, 7) + 3);
    return 0;
}
