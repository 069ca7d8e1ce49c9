/* A part of the sample that is a library of its own. */
#include "counted.h"

COUNTED void leaf(void)
{
    BARRIER();
}

COUNTED void step(void)
{
    leaf();
    leaf();
    BARRIER();
}
