/* A function that the loader has chosen for the processor: callers know its name, which is the address of the choice. */
__attribute__((noinline)) static int chosen(int n)
{
    __asm__ volatile("");
    return n + 1;
}

static int (*choose(void))(int)
{
    return chosen;
}

int offered(int) __attribute__((ifunc("choose")));

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 6000; i++)
        sum += offered(i);
    return sum == 0;
}
