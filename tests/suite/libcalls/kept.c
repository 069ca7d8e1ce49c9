/* Calls by a stub of the linkage table, and an address that lies in a structure on the stack. */
#include <stdio.h>
#include <string.h>

struct tools {
    size_t (*length)(const char *);
    const char *text;
};

__attribute__((noinline)) static size_t by_pointer(const struct tools *tools)
{
    return tools->length(tools->text);
}

int main(void)
{
    const char *volatile text = "text";
    struct tools tools;
    size_t sum;
    int i;

    tools.length = strlen;
    tools.text = text;
    __asm__("" : : "r"(&tools) : "memory");
    sum = by_pointer(&tools);
    for (i = 0; i < 50; i++)
        sum += strlen(text);
    puts(sum == 204 ? "done" : "wrong");
    return 0;
}
