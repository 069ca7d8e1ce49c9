/* A library with guards of its own, to be loaded and unloaded. */
#include "counted.h"

COUNTED int from_library(int number)
{
    BARRIER();
    return number % 2 ? 3 * number : number / 2;
}
