/* About half a second in stacks of some twenty frames, of which the innermost change all the time: the same work each
 * time. */
#include <stdlib.h>

static volatile unsigned x = 1;

#define NOINLINE __attribute__((noinline, noclone))

NOINLINE static void work(unsigned times) {
    for (unsigned i = 0; i < times; i++) x = x * 1664525u + 1013904223u;
    x += 1;
}

NOINLINE static int compare(const void *a, const void *b) {
    work(20);
    return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b;
}

NOINLINE static void sort(void) {
    static int numbers[50000];
    for (int i = 0; i < 50000; i++) numbers[i] = rand();
    qsort(numbers, 50000, sizeof *numbers, compare);
    x += 1;
}

NOINLINE static void descend(int depth) {
    if (depth > 0)
        descend(depth - 1);
    else
        sort();
    work(1000);
}

int main(void) {
    for (int round = 0; round < 30; round++) descend(round % 4 * 3);
    return 0;
}
