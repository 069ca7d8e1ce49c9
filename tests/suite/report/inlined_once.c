/* Works in a function of which one function has a copy, and that another one calls. */
static volatile unsigned cells[64];

unsigned both(unsigned rounds)
{
    unsigned sum = 0;

    for (unsigned i = 0; i < rounds; i++)
        sum += (cells[i & 63] / (i | 1)) ^ i;
    return sum;
}

__attribute__((noinline, flatten)) unsigned inside(unsigned rounds)
{
    return both(rounds) + cells[1];
}

static unsigned (*volatile call)(unsigned) = both;

__attribute__((noinline)) unsigned outside(unsigned rounds)
{
    return call(rounds) + cells[2];
}

int main(void)
{
    return inside(100000000) + outside(100000000) == 1;
}
