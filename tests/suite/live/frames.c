/* Calls that share a frame, whose frames grow, that are jumped out of, and that are deeper than there is room for. */
#include <alloca.h>
#include <setjmp.h>
#include <string.h>
#include <time.h>
#define APART __attribute__((noinline))
volatile unsigned sink;
jmp_buf back;
static inline __attribute__((always_inline)) void inlined(void) { sink++; }
static inline __attribute__((always_inline)) void leaves(int n) { if (n & 1) longjmp(back, 1); sink++; }
APART void apart(void) { inlined(); inlined(); }
APART void grows(int n) { char *more = alloca(16 * n + 16); memset(more, n, 16 * n + 16); if (n) grows(n - 1); sink += more[n]; }
APART void jumps(int n) { leaves(n); inlined(); leaves(n + (n & 2) / 2); }
APART int many(int a, int b, int c, int d, int e, int f, int g, int h, int i) { return a + b + c + d + e + f + g + h + i + sink; }
APART void stack(int n) { many(n, n, n, n, n, n, n, n, n); inlined(); many(n, n, n, n, n, n, n, n, many(n, n, n, n, n, n, n, n, n)); }
APART int deep(int n) { return n ? deep(n - 1) + 1 : 0; }
__attribute__((no_instrument_function)) APART void hidden(void) { inlined(); }
int main(void) {
    for (int i = 0; i < 500; i++) apart(), hidden();
    for (int i = 0; i < 100; i++) grows(7);
    if (deep(4095) != 4095) return 1;
    for (volatile int i = 0; i < 400; i++) if (!setjmp(back)) jumps(i);
    for (int i = 0; i < 200; i++) stack(i);
    for (clock_t end = clock() + CLOCKS_PER_SEC / 20; clock() < end;) sink++;
    return 0;
}
