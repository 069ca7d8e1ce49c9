/* A shared library with hooks of its own, which calls back into the program, also when it is loaded
   and unloaded. */
#include "counted.h"

COUNTED void inner(void)
{
    BARRIER();
}

void call_back(void (*function)(void), int times)
{
    while (times-- > 0) {
        inner();
        function();
    }
    BARRIER();
}

COUNTED __attribute__((constructor)) static void loaded(void)
{
    inner();
    BARRIER();
}

COUNTED __attribute__((destructor)) static void unloaded(void)
{
    inner();
    BARRIER();
}
