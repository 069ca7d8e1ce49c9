/* Destructors of every kind, each of which counts calls. Ends in `main` as its argument says, or in
 * the middle of the destructors. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "counted.h"

extern void _mcleanup(void) __attribute__((weak));
extern void moncontrol(int mode) __attribute__((weak));

static const char *how = "";

COUNTED void work(void)
{
    BARRIER();
}

static void times(int calls) __attribute__((no_instrument_function));
static void times(int calls)
{
    while (calls-- > 0)
        work();
}

/* As the compiler registers the destructor of a static object. */
COUNTED void object(void)
{
    times(100);
}

__attribute__((constructor)) static void construct(void)
{
    atexit(object);
}

COUNTED void registered(void)
{
    times(200);
}

/* The one without a priority comes first, that with the lowest last. */
__attribute__((destructor)) COUNTED void first(void)
{
    times(300);
    if (strcmp(how, "exit in a destructor") == 0)
        exit(3);
    if (strcmp(how, "_exit in a destructor") == 0)
        _exit(3);
    if (strcmp(how, "abort in a destructor") == 0)
        abort();
}

__attribute__((destructor(200))) COUNTED void second(void)
{
    times(400);
}

__attribute__((destructor(101))) COUNTED void last(void)
{
    times(500);
}

int main(int argc, char **argv)
{
    how = argc > 1 ? argv[1] : "";
    atexit(registered);
    times(10);
    if (strcmp(how, "_mcleanup") == 0)
        _mcleanup();
    if (strcmp(how, "moncontrol") == 0)
        moncontrol(0);
    return 3;
}
