/* Loads and unloads libraries with guards of their own, one after the other, and one of them again. */
#include <dlfcn.h>
#include "counted.h"

COUNTED void work(void)
{
    BARRIER();
}

COUNTED int never(int number)
{
    return number > 5 ? number : -number;
}

int main(int argc, char **argv)
{
    int round, i, j, sum = 0;

    for (round = 0; round < 2; round++)
        for (i = 1; i < argc; i++) {
            void *library = dlopen(argv[i], RTLD_NOW);
            int (*function)(int) = library ? (int (*)(int))dlsym(library, "from_library") : 0;

            if (!function)
                return 1;
            for (j = 0; j < 100; j++) {
                sum += function(j);
                work();
            }
            dlclose(library);
        }
    return sum == 1 ? never(sum) : 0;
}
