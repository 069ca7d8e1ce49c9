/* Two loops that take one and three parts of the time, in lines of their own, and an inlined function with two more.
   Each is a chain of multiplications: loops through memory take one or two times as long from one place to the next. */
static unsigned long state;

static inline __attribute__((always_inline)) unsigned long inlined(unsigned long mixed, unsigned i)
{
    for (unsigned j = 0; j < 4000; j++) mixed = mixed * 6364136223846793005u + i; /* inlined */
    return mixed;
}

__attribute__((noinline)) void work(unsigned i)
{
    unsigned long mixed = state;
    for (unsigned j = 0; j < 2000; j++) mixed = mixed * 6364136223846793005u + i; /* one */
    if (i == 1u << 31)
        __builtin_trap(); /* never */
    for (unsigned j = 0; j < 6000; j++) mixed = mixed * 6364136223846793005u + i; /* three */
    state = inlined(mixed, i); /* call */
}

int main(void)
{
    for (unsigned i = 0; i < 60000; i++)
        work(i);
    return state == 1;
}
