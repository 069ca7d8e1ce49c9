/* bzip2 compresses text. */
#include <stdlib.h>

#include "bzlib.h"

enum { LEN = 24000 };

void work(void)
{
    static char text[LEN], packed[2 * LEN];
    unsigned len = sizeof packed, random = 1;

    for (int i = 0; i < LEN; i++) {
        random = random * 1103515245 + 12345;
        text[i] = random >> 28 ? 'a' + (random >> 16) % 20 : ' ';
    }
    if (BZ2_bzBuffToBuffCompress(packed, &len, text, LEN, 1, 0, 0) != BZ_OK)
        exit(1);
}
