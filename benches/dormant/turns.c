/* Has three programs work by turns, in one order and then in the other, and writes to the standard error stream what CPU time
   each took in each turn. Arguments: the number of rows, the number of turns. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int plain(int count, char **words);
int copy(int count, char **words);
int asleep(int count, char **words);

static double seconds(int (*program)(int, char **), char **words)
{
    struct timespec before, after;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    if (program(2, words) != 0)
        exit(1);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    return (after.tv_sec - before.tv_sec) + (after.tv_nsec - before.tv_nsec) / 1e9;
}

int main(int count, char **words)
{
    int (*const programs[])(int, char **) = {plain, copy, asleep};
    int turns = count > 2 ? atoi(words[2]) : 0;

    /* The first of all makes the memory that the others use again. */
    seconds(plain, words);
    for (int turn = 0; turn < turns; turn++) {
        double times[3];
        for (int i = 0; i < 3; i++) {
            /* Each is the first, the second and the last of a turn equally often. */
            int which = (turn % 2 ? i : 2 - i) + turn / 2;
            times[which % 3] = seconds(programs[which % 3], words);
        }
        fprintf(stderr, "%.9f %.9f %.9f\n", times[0], times[1], times[2]);
    }
    return 0;
}
