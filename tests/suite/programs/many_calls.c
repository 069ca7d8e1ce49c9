/* One arc, as many calls as the argument says. */
/*# arc main -> called ? */
#include <stdio.h>
#include <stdlib.h>
#include "../../../examples/c/counted.h"

COUNTED void called(void)
{
    BARRIER();
}

int main(int argc, char **argv)
{
    unsigned long calls = argc > 1 ? strtoul(argv[1], 0, 10) : 1000;

    for (unsigned long call = 0; call < calls; call++)
        called();
    printf("main -> called %lu\n", calls);
    return 0;
}
