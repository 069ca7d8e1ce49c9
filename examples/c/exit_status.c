/* `exit` deep inside the program: the data file is written, the exit status is the program's. */
/*# status 42 */
/*# arc main -> outer 1 */
/*# arc outer -> inner 5 */
/*# arc inner -> leave 1 */
#include <stdlib.h>
#include "counted.h"

COUNTED void leave(int status)
{
    exit(status);
}

COUNTED void inner(int round)
{
    if (round == 4)
        leave(42);
    BARRIER();
}

COUNTED void outer(void)
{
    for (int i = 0; i < 10; i++)
        inner(i);
}

int main(void)
{
    outer();
    return 0;
}
