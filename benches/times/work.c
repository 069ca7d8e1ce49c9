/* A function of about a microsecond, so that the runtime times each call of it. */
int NAME(int rounds)
{
    for (int i = 0; i < rounds; i++)
        __asm__ volatile("" : : : "memory");
    return rounds;
}
