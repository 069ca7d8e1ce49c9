/* gmon.out over the serial line, for boards that have nothing else: hexadecimal, between two lines of text. What
 * has been recorded of the line becomes a file by
 *
 *   sed -n '/^gmon.out begins/,/^gmon.out ends/p' recorded | sed '1d;$d' | xxd -r -p > gmon.out
 */
#include <stdint.h>

#include "board.h"

static unsigned column;

void sink_open(void)
{
    print("gmon.out begins\n");
    column = 0;
}

int sink_write(const void *bytes, size_t count)
{
    const uint8_t *byte = bytes;
    for (; count--; byte++) {
        const char *digits = "0123456789abcdef";
        char text[] = {digits[*byte >> 4], digits[*byte & 15], 0};
        print(text);
        if (++column % 32 == 0)
            print("\n");
    }
    return 0;
}

void sink_close(void)
{
    print("\ngmon.out ends\n");
}
