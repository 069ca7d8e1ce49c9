/* Calls by a word of which it takes the address, too: who knows what will be done by it. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    size_t (**word)(const char *);
    size_t sum = 0;
    int i;

    __asm__("leaq strlen@GOTPCREL(%%rip), %0" : "=r"(word));
    for (i = 0; i < 50; i++)
        sum += strlen("text");
    sum += (*word)("text");
    puts(sum == 204 ? "done" : "wrong");
    return 0;
}
