/* A part of the sample that is a shared library: its calls into the program are counted. */
#include "counted.h"

COUNTED void twice(void (*action)(void))
{
    action();
    action();
    BARRIER();
}
