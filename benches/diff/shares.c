/* Functions with known shares of the time: that of `copy` is COPY, all others have 80 together. SLOWER is by how many
   percent `copy` takes longer.
   Each loop is a chain of multiplications, whose time does not depend on memory: one that added to a variable in memory
   took twice as long in some runs as in others, as processors forward stored values in more than one way. */
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
        unsigned long value = state;                                               \
        for (unsigned i = 0; i < (loops); i++)                                     \
            value = value * 6364136223846793005u + 1;                              \
        state = value;                                                             \
    }

unsigned long state;

FUNCTION(copy, COPY * (100u + SLOWER))
FUNCTION(hash, 2000u)
FUNCTION(look_up, 1500u)
FUNCTION(parse, 1500u)
FUNCTION(compare, 1000u)
FUNCTION(store, 1000u)
FUNCTION(load, 500u)
FUNCTION(print, 500u)

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
