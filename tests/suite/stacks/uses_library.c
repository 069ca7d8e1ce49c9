/* Calls a library with which it is linked. */
#include <stdio.h>

void entry(int times);
void first_work(int times);

int main(void)
{
    for (int i = 0; i < 7; i++)
        entry(1000);
    for (int i = 0; i < 5; i++)
        first_work(10);
    puts("done");
    return 0;
}
