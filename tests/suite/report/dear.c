/* A cheap caller and a dear one, and a recursion. */

#define ROUNDS 250000
#include "../stacks/dear.h"

NOINLINE void recurse(int depth)
{
    if (depth > 0)
        recurse(depth - 1);
    else
        for (int i = 0; i < 20000000; i++)
            sum += 1;
    sum += 1;
}

int main(int argc, char **argv)
{
    (void)argv;
    do {
        cheap();
        dear();
        recurse(500);
        /* With an argument, until somebody ends it. */
    } while (argc > 1);
    return 0;
}
