/* Callbacks from the C library: the comparison of `qsort`. How many a sort needs is the library's
   secret, so the program counts them itself and prints the number. */
/*# arc <outside> -> compare ? */
/*# arc compare -> key ? */
/*# arc main -> key 5000 */
#include <stdio.h>
#include <stdlib.h>
#include "counted.h"

#define ITEMS 20000

static unsigned long compare_calls, key_calls;

COUNTED int key(int value)
{
    key_calls++;
    return value ^ 0x55;
}

COUNTED int compare(const void *left, const void *right)
{
    int l = key(*(const int *)left), r = key(*(const int *)right);

    compare_calls++;
    return (l > r) - (l < r);
}

int main(void)
{
    static int items[ITEMS];
    unsigned random = 1;
    int i, sum = 0;

    for (i = 0; i < ITEMS; i++) {
        random = random * 1103515245 + 12345;
        items[i] = (int)(random >> 8);
    }
    qsort(items, ITEMS, sizeof items[0], compare);
    printf("compare -> key %lu\n", key_calls);
    printf("<outside> -> compare %lu\n", compare_calls);
    for (i = 0; i < 5000; i++)
        sum += key(i);
    return sum == 0;
}
