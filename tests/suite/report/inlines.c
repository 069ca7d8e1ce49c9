/* Work in a small inlined function, in a large one, and in one that calls itself by way of another. */
static volatile unsigned cells[64];

static inline __attribute__((always_inline)) unsigned little(unsigned i)
{
    /* Slow, as the steps below: what is seen seldom is not seen in each run. */
    return (cells[i & 63] / (i | 1)) ^ i;
}

#define STEP(n) cells[(i + n) & 63] = cells[(i + 7 * n) & 63] / (i | 1) + n
static inline __attribute__((always_inline)) void large(unsigned i)
{
    STEP(1); STEP(2); STEP(3); STEP(4); STEP(5); STEP(6); STEP(7); STEP(8);
}

__attribute__((noinline)) unsigned host(unsigned rounds)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < rounds; i++) {
        for (unsigned j = 0; j < 12; j++)
            sum += little(i + j);
        large(i);
    }
    return sum;
}

unsigned back(unsigned depth);

__attribute__((noinline)) unsigned forth(unsigned depth)
{
    unsigned sum = depth ? back(depth - 1) : host(5000000);
    return sum + cells[depth & 63];
}

__attribute__((noinline)) unsigned back(unsigned depth)
{
    return forth(depth) + cells[1];
}

int main(void)
{
    return forth(3) == 1;
}
