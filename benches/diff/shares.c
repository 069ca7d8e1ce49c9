/* Functions with known shares of the time: that of `copy` is COPY, all others have 80 together. SLOWER is by how many
   percent `copy` takes longer. */
#include <stdlib.h>

#ifndef COPY
#define COPY 20
#endif
#ifndef SLOWER
#define SLOWER 0
#endif
#define FUNCTION(name, loops)                                                      \
    __attribute__((noinline)) void name(void)                                      \
    {                                                                              \
        for (unsigned i = 0; i < (loops); i++)                                     \
            sum += i;                                                              \
    }

volatile unsigned long sum;

FUNCTION(copy, 10u * COPY * (100 + SLOWER))
FUNCTION(hash, 20000u)
FUNCTION(look_up, 15000u)
FUNCTION(parse, 15000u)
FUNCTION(compare, 10000u)
FUNCTION(store, 10000u)
FUNCTION(load, 5000u)
FUNCTION(print, 5000u)

int main(int argc, char **argv)
{
    for (int i = argc > 1 ? atoi(argv[1]) : 1; i > 0; i--) {
        copy();
        hash();
        look_up();
        parse();
        compare();
        store();
        load();
        print();
    }
    return 0;
}
