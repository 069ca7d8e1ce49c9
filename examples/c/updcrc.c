/* The checksum of gzip files, whose loop the manual of gprof takes to explain counts of basic blocks:
   `gmon run --blocks examples/c/updcrc.c`, then `gmon annotate`. */
/*# arc main -> fill_table 1 */
/*# arc main -> updcrc 2 */
#include <stdio.h>
#include "counted.h"

/* The length of the text in the manual's example. */
#define LENGTH 26312

static unsigned long table[256];

COUNTED void fill_table(void)
{
    for (unsigned long byte = 0; byte < 256; byte++) {
        unsigned long entry = byte;

        for (int bit = 0; bit < 8; bit++)
            entry = entry & 1 ? (entry >> 1) ^ 0xedb88320 : entry >> 1;
        table[byte] = entry;
    }
}

/* The checksum of all text so far and of `length` more bytes; no text begins again. */
COUNTED unsigned long updcrc(const unsigned char *text, unsigned length)
{
    static unsigned long so_far = 0xffffffff;
    unsigned long sum;

    if (text == NULL) {
        sum = 0xffffffff;
    } else {
        sum = so_far;
        if (length) do {
            sum = table[(sum ^ *text++) & 0xff] ^ (sum >> 8);
        } while (--length);
    }
    so_far = sum;
    return sum ^ 0xffffffff;
}

int main(void)
{
    static unsigned char text[LENGTH];

    fill_table();
    for (int i = 0; i < LENGTH; i++)
        text[i] = (unsigned char)i;
    updcrc(NULL, 0);
    printf("%08lx\n", updcrc(text, LENGTH));
    return 0;
}
