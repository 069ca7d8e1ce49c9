/* Code of many small blocks, in three shapes. Each runs its loop `rounds` times and gives something that
 * depends on every block. */

/* Two ways through the loop, by turns that no processor foresees. */
long branches(long rounds)
{
    unsigned x = 1;
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        x = x * 1664525 + 1013904223;
        if (x & 0x10000000)
            sum += x >> 7;
        else
            sum ^= i;
    }
    return sum;
}

/* A small machine: a jump to one of eight ways, in a fixed order. */
long interpreter(long rounds)
{
    static const unsigned char program[16] = {0, 3, 1, 5, 2, 7, 4, 6, 1, 1, 0, 5, 3, 2, 6, 7};
    long a = 1, b = 2;

    for (long i = 0; i < rounds; i++)
        switch (program[i & 15]) {
        case 0: a += b; break;
        case 1: b ^= a; break;
        case 2: a -= 7; break;
        case 3: b += i; break;
        case 4: if (a < 0) a = -a; break;
        case 5: a ^= b >> 3; break;
        case 6: if (b > 1000000) b = 1; break;
        default: b -= a; break;
        }
    return a + b;
}

/* Calls of a small function with a loop that runs three times. */
__attribute__((noinline)) static long inner(long x)
{
    long sum = x;

    for (int i = 0; i < 3; i++) {
        __asm__ volatile("" : "+r"(sum));
        sum += sum >> i;
    }
    return sum;
}

long calls(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += inner(i);
    return sum;
}
