/* Needs no library, so that it can be linked for any machine. */
#include "inline.h"

struct pair {
    int a;
    long b;
};

int sum_of(struct pair *pair);
int later(int n);

static __attribute__((noinline)) int leaf(int n)
{
    volatile int sum = 0;
    for (int i = 0; i < n; i++)
        sum += twice(i);
    return sum;
}

__attribute__((noinline)) int work(int n)
{
    struct pair pair = { n, n * 2 };
    if (n <= 0)
        return 0;
    return leaf(n) + work(n - 1) + sum_of(&pair) + later(n);
}

int (*volatile table[2])(int) = { leaf, work };

__attribute__((noinline)) int through_a_table(int n)
{
    return table[n & 1](n) + 1;
}

/* Compilers make it a jump. */
__attribute__((noinline)) int jumps(int n)
{
    return later(n + 3);
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += work(20) + through_a_table(i) + jumps(i);
    return sum;
}

__attribute__((noinline)) int sum_of(struct pair *pair)
{
    return (int)pair->b + twice(pair->a);
}

__attribute__((noinline)) int later(int n)
{
    return leaf(n * 2) + 3;
}

void _start(void)
{
    main();
    for (;;)
        ;
}

void last(void) {}
