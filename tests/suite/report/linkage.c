/* Calls a function of the C library that does next to nothing, for a second. */
#include <time.h>

/* The header has it inlined. */
unsigned short htons(unsigned short);

int main(void)
{
    clock_t end = clock() + CLOCKS_PER_SEC;
    unsigned short sum = 0;

    do
        for (int i = 0; i < 100000; i++)
            sum = htons(sum);
    while (clock() < end);
    return sum != 0;
}
