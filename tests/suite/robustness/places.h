/* `from_place(n)` calls `rare` from one of a thousand places, chosen by n: a table that has never seen
   the place must make room for it. */
#ifndef PLACES_H
#define PLACES_H

#include "counted.h"

#define PLACES 1024

#define PLACE(n)                                                                                   \
    case n:                                                                                        \
        rare();                                                                                    \
        BARRIER();                                                                                 \
        break;
#define PLACES_4(n) PLACE(n) PLACE(n + 1) PLACE(n + 2) PLACE(n + 3)
#define PLACES_16(n) PLACES_4(n) PLACES_4(n + 4) PLACES_4(n + 8) PLACES_4(n + 12)
#define PLACES_64(n) PLACES_16(n) PLACES_16(n + 16) PLACES_16(n + 32) PLACES_16(n + 48)
#define PLACES_256(n) PLACES_64(n) PLACES_64(n + 64) PLACES_64(n + 128) PLACES_64(n + 192)

#ifdef RARE
/* A function of a library. */
int RARE(void);
#define rare RARE
#else
COUNTED void rare(void)
{
    BARRIER();
}
#endif

COUNTED void from_place(unsigned long place)
{
    switch (place % PLACES) {
        PLACES_256(0)
        PLACES_256(256)
        PLACES_256(512)
        PLACES_256(768)
    }
}

#endif
