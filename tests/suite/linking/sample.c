/* The program of the sample. It finds the header, and the runtime that it declares. */
#include <gmon.h>

void leaf(void);
void step(void);
void twice(void (*action)(void));

int main(void)
{
    for (int i = 0; i < 5; i++)
        step();
    twice(leaf);
    return gmon_snapshot == 0;
}
