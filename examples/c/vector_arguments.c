/* Vector arguments: eight registers of 128, 256 and 512 bits, as far as this processor has them.
   A hook that runs vector code of its own would clear the upper parts. */
/*# only x86_64: these are its registers */
/*# arc main -> check_128 1000 */
/*# arc check_128 -> sum_of_128 1000 */
/*# arc check_256 -> sum_of_256 ? */
/*# arc check_512 -> sum_of_512 ? */
#include <immintrin.h>
#include <stdio.h>
#include "counted.h"

#define ROUNDS 1000

#define DEFINE_SUM(bits, vector, target, lanes)                                                \
    target COUNTED double sum_of_##bits(vector a, vector b, vector c, vector d, vector e,      \
                                        vector f, vector g, vector h)                          \
    {                                                                                          \
        vector sum = a + b + c + d + e + f + g + h;                                            \
        double total = 0;                                                                      \
        for (int i = 0; i < lanes; i++)                                                        \
            total += sum[i];                                                                   \
        BARRIER();                                                                             \
        return total;                                                                          \
    }                                                                                          \
    target COUNTED int check_##bits(void)                                                      \
    {                                                                                          \
        vector v[8];                                                                           \
        for (int i = 0; i < 8; i++)                                                            \
            for (int lane = 0; lane < lanes; lane++)                                           \
                v[i][lane] = i * lanes + lane;                                                 \
        return sum_of_##bits(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7])                   \
            == 8 * lanes * (8 * lanes - 1) / 2;                                                \
    }

DEFINE_SUM(128, __m128d, , 2)
DEFINE_SUM(256, __m256d, __attribute__((target("avx"))), 4)
DEFINE_SUM(512, __m512d, __attribute__((target("avx512f"))), 8)

int main(void)
{
    int rounds_256 = __builtin_cpu_supports("avx") ? ROUNDS : 0;
    int rounds_512 = __builtin_cpu_supports("avx512f") ? ROUNDS : 0;
    int i;

    for (i = 0; i < ROUNDS; i++)
        if (!check_128())
            return 1;
    for (i = 0; i < rounds_256; i++)
        if (!check_256())
            return 2;
    for (i = 0; i < rounds_512; i++)
        if (!check_512())
            return 3;
    printf("check_256 -> sum_of_256 %d\n", rounds_256);
    printf("check_512 -> sum_of_512 %d\n", rounds_512);
    return 0;
}
