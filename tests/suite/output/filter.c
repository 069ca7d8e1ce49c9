/* One end of a pipeline. Usage: filter make LINES | filter sum. The first spends its time in the C library and
   the kernel and prints numbers, more than a pipe holds; the second adds them up and prints the sum. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "counted.h"

COUNTED void print(int number)
{
    printf("%d\n", number);
}

COUNTED long add(long sum, long number)
{
    return sum + number;
}

/* More than a second, and none of it in the program's own code. */
COUNTED int spend(void)
{
    static char buffer[1 << 20];
    int zero = open("/dev/zero", O_RDONLY);

    while (clock() < 12 * (CLOCKS_PER_SEC / 10))
        if (read(zero, buffer, sizeof buffer) != (ssize_t)sizeof buffer)
            return 1;
    return close(zero);
}

COUNTED int sum_up(void)
{
    long sum = 0, number;

    while (scanf("%ld", &number) == 1)
        sum = add(sum, number);
    printf("sum %ld\n", sum);
    return 0;
}

int main(int argc, char **argv)
{
    int i;

    if (argc == 2 && strcmp(argv[1], "sum") == 0)
        return sum_up();
    if (argc != 3)
        return 1;
    for (i = 0; i < atoi(argv[2]); i++)
        print(i);
    return spend();
}
