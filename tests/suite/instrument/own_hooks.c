/* A program that defines the hooks itself. Prints how often each was called. */
#include <stdio.h>
#include "counted.h"

#define NOT_COUNTED __attribute__((no_instrument_function))

static unsigned long entered, left;

NOT_COUNTED void __cyg_profile_func_enter(void *function, void *call_site)
{
    (void)function, (void)call_site;
    entered++;
}

NOT_COUNTED void __cyg_profile_func_exit(void *function, void *call_site)
{
    (void)function, (void)call_site;
    left++;
}

COUNTED void work(void)
{
    BARRIER();
}

int main(void)
{
    int i;

    for (i = 0; i < 42; i++)
        work();
    printf("entered %lu\nleft %lu\n", entered, left);
    return 0;
}
