/* Functions that run before the program's constructors do: one that chooses an implementation while
   the program is still being relocated (not with -DNO_CHOICE), and one from the list that goes before all
   others. */
#include "counted.h"

COUNTED void work(void)
{
    BARRIER();
}

COUNTED int chosen(void)
{
    return 7;
}

__attribute__((used)) COUNTED int (*choose(void))(void)
{
    work();
    work();
    BARRIER();
    return chosen;
}

#ifndef NO_CHOICE
int function(void) __attribute__((ifunc("choose")));
#else
#define function chosen
#endif

COUNTED void first(void)
{
    work();
    BARRIER();
}

__attribute__((section(".preinit_array"), used)) static void (*const first_of_all)(void) = first;

COUNTED __attribute__((constructor(101))) void constructor(void)
{
    work();
    BARRIER();
}

int main(void)
{
    return function() - 7;
}
