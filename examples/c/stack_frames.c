/* Unusual stack frames: `alloca`, variable-length arrays, arrays aligned beyond what the caller
   guarantees, and a large frame. The hook must find the caller and leave the frame as it was. */
/*# arc main -> with_alloca 50 */
/*# arc main -> with_array 50 */
/*# arc main -> realigned 50 */
/*# arc main -> with_large_frame 50 */
/*# arc with_alloca -> fill 50 */
/*# arc with_array -> fill 50 */
/*# arc realigned -> fill 50 */
/*# arc with_large_frame -> fill 50 */
/*# calls fill 200 */
#include <alloca.h>
#include <stdint.h>
#include <string.h>
#include "counted.h"

COUNTED int fill(char *bytes, int length, int value)
{
    memset(bytes, value, (size_t)length);
    return bytes[length - 1];
}

COUNTED int with_alloca(int length)
{
    char *bytes = alloca((size_t)length);

    return fill(bytes, length, 1) + bytes[0];
}

COUNTED int with_array(int length)
{
    char bytes[length];

    return fill(bytes, length, 2) + bytes[0];
}

/* Nine arguments, so that some are found through the frame that gets realigned. */
COUNTED int realigned(int a, int b, int c, int d, int e, int f, int g, int h, int length)
{
    char bytes[256] __attribute__((aligned(128)));
    char more[length];

    if ((uintptr_t)bytes % 128 != 0)
        return -1;
    more[0] = 0;
    BARRIER();
    return fill(bytes, 256, 3) + bytes[0] + more[0] + a + b + c + d + e + f + g + h;
}

COUNTED int with_large_frame(void)
{
    char bytes[100000];

    return fill(bytes, sizeof bytes, 4) + bytes[0];
}

int main(void)
{
    for (int i = 0; i < 50; i++) {
        if (with_alloca(10 + i) != 2)
            return 1;
        if (with_array(10 + i) != 4)
            return 2;
        if (realigned(1, 2, 3, 4, 5, 6, 7, i, 100 + i) != 34 + i)
            return 3;
        if (with_large_frame() != 8)
            return 4;
    }
    return 0;
}
