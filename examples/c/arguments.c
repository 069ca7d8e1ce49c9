/* Arguments in every register that can carry one must survive the hook: eight integers, eight
   doubles, structures passed and returned by value, variable arguments, `long double`. */
/*# arc main -> sixteen 100 */
/*# arc main -> sum_of 300 */
/*# arc main -> pair_of 100 */
/*# arc main -> swap 100 */
/*# arc main -> large 100 */
/*# arc main -> extended 100 */
/*# arc main -> complex_square 100 */
#include <complex.h>
#include <stdarg.h>
#include "counted.h"

struct pair { long integer; double real; };
struct large { long field[9]; };

COUNTED double sixteen(long a, long b, long c, long d, long e, long f, long g, long h, double i,
                       double j, double k, double l, double m, double n, double o, double p)
{
    return (double)(a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h)
        + (i + 2 * j + 3 * k + 4 * l + 5 * m + 6 * n + 7 * o + 8 * p) / 1024;
}

COUNTED double sum_of(int count, ...)
{
    va_list arguments;
    double sum = 0;

    va_start(arguments, count);
    for (int i = 0; i < count; i++)
        sum += i % 2 ? va_arg(arguments, double) : va_arg(arguments, int);
    va_end(arguments);
    return sum;
}

COUNTED struct pair pair_of(long integer, double real)
{
    return (struct pair){integer, real};
}

COUNTED struct pair swap(struct pair pair)
{
    return (struct pair){(long)pair.real, (double)pair.integer};
}

COUNTED struct large large(long start)
{
    struct large result;

    for (int i = 0; i < 9; i++)
        result.field[i] = start + i;
    return result;
}

COUNTED long double extended(long double x, float y)
{
    return x * y;
}

COUNTED double complex complex_square(double complex z)
{
    return z * z;
}

int main(void)
{
    for (int i = 0; i < 100; i++) {
        struct pair pair = swap(pair_of(i, 2.0 * i));
        struct large nine = large(i);

        if (sixteen(i, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8) != i + 203 + 204 / 1024.0)
            return 1;
        if (sum_of(0) != 0 || sum_of(2, i, 0.5) != i + 0.5)
            return 2;
        if (sum_of(20, 1, .5, 2, .5, 3, .5, 4, .5, 5, .5, 6, .5, 7, .5, 8, .5, 9, .5, 10, .5) != 60)
            return 3;
        if (pair.integer != 2 * i || pair.real != i)
            return 4;
        if (nine.field[0] != i || nine.field[8] != i + 8)
            return 5;
        if (extended(1.5L, (float)i) != 1.5L * i)
            return 6;
        if (complex_square(i + 1.0 * I) != i * i - 1 + 2.0 * i * I)
            return 7;
    }
    return 0;
}
