/* Does little but call a function that does nothing. */
#include "counted.h"

COUNTED static void nothing(void) { BARRIER(); }

int main(void) {
    for (long i = 0; i < 200000000; i++) nothing();
}
