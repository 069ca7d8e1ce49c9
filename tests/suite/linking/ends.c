/* Ends with status 3 in the way that its argument says. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "counted.h"

COUNTED void work(void)
{
    BARRIER();
}

int main(int argc, char **argv)
{
    const char *end = argc > 1 ? argv[1] : "";

    for (int i = 0; i < 3; i++)
        work();
    if (!strcmp(end, "exit"))
        exit(3);
    if (!strcmp(end, "_exit"))
        _exit(3);
    if (!strcmp(end, "_Exit"))
        _Exit(3);
    if (!strcmp(end, "quick_exit"))
        quick_exit(3);
    return strcmp(end, "return") ? 1 : 3;
}
