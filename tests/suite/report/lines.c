/* Two loops that take one and three parts of the time, in lines of their own, and an inlined function with two more. */
static volatile unsigned cells[64];

static inline __attribute__((always_inline)) unsigned inlined(unsigned i)
{
    for (unsigned j = 0; j < 6000; j++) cells[j & 63] += i; /* inlined */
    return cells[i & 63];
}

__attribute__((noinline)) unsigned work(unsigned i)
{
    for (unsigned j = 0; j < 3000; j++) cells[j & 63] += i; /* one */
    if (i == 1u << 31)
        cells[0] = 7; /* never */
    for (unsigned j = 0; j < 9000; j++) cells[j & 63] += i; /* three */
    return inlined(i); /* call */
}

int main(void)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < 60000; i++)
        sum += work(i);
    return sum == 1;
}
