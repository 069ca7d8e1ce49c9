// A branch that is taken once in 16 turns.

#define KEPT __attribute__((noinline, noclone))

static volatile unsigned long often, rarely;

KEPT void turn(unsigned long i)
{
    if (i % 16)
        often += i;
    else
        rarely += i;
}

int main(void)
{
    for (unsigned long i = 0; i < 50000000; i++)
        turn(i);
    return 0;
}
