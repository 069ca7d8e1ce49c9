/* An interpreter: one call site reaches 256 functions through a table of pointers. */
/*# arc main -> interpret 40 */
/*# fanout interpret -> op_* 256 x 40 */
#include "counted.h"

static unsigned accumulator;

#define OP(n)                                         \
    COUNTED void op_##n(void)                         \
    {                                                 \
        accumulator = accumulator * 5 + 0x##n;        \
        BARRIER();                                    \
    }
#define ROW(make, h)                                                                          \
    make(h##0) make(h##1) make(h##2) make(h##3) make(h##4) make(h##5) make(h##6) make(h##7)   \
    make(h##8) make(h##9) make(h##a) make(h##b) make(h##c) make(h##d) make(h##e) make(h##f)
#define TABLE(make)                                                                           \
    ROW(make, 0) ROW(make, 1) ROW(make, 2) ROW(make, 3) ROW(make, 4) ROW(make, 5)             \
    ROW(make, 6) ROW(make, 7) ROW(make, 8) ROW(make, 9) ROW(make, a) ROW(make, b)             \
    ROW(make, c) ROW(make, d) ROW(make, e) ROW(make, f)

TABLE(OP)

#define ADDRESS(n) op_##n,
static void (*const operations[])(void) = {TABLE(ADDRESS)};

COUNTED void interpret(const unsigned char *program, int length)
{
    for (int pc = 0; pc < length; pc++)
        operations[program[pc]]();
    BARRIER();
}

int main(void)
{
    unsigned char program[256];
    int i;

    for (i = 0; i < 256; i++)
        program[i] = (unsigned char)(i * 7);
    for (i = 0; i < 40; i++)
        interpret(program, 256);
    return 0;
}
