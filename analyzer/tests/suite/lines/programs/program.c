/* Recursion, branches, inlined functions; the last line has no end. */ volatile int sink;
#include <stdio.h>
#include <stdlib.h>
#include "inline.h"
#include "./sub/other.h"
static int local(int n) { for (int i = 0; i < n; i++) { sink += i; if (i % 7 == 3) sink--; } return sink; }
__attribute__((noinline)) static int branchy(int n)
{
    TWO(sink += n); for (int k = 0; k < 3; k++) sink ^= k;
    return twice(n) + other(n);
}
int compare(const void *a, const void *b) { return *(int *)a - *(int *)b; }
int fibonacci(int n) { return n < 2 ? 1 : fibonacci(n - 1) + fibonacci(n - 2); }
void f1(void) { sink++; }
void f2(void) { sink--; }
void f3(void) { sink = 0; }
int main(void) {
    int v[100];
    for (int i = 0; i < 100; i++) v[i] = (i * 7919) % 101;
    qsort(v, 100, sizeof *v, compare);
    for (int i = 0; i < 20000; i++)
        sink += branchy(i % 10) + local(i % 5);
    sink += fibonacci(20);
    printf("%d\n", sink & 1);
    return 0;
}