/* A library with hooks that calls other libraries. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

double entry(int times)
{
    double sum = 0;
    for (int i = 0; i < times; i++) {
        char *volatile memory = malloc(16);
        memory[0] = 0;
        sum += cbrt(i) + strtol("12", NULL, 10);
        free(memory);
    }
    return sum;
}
