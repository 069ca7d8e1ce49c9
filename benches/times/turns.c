/* Calls a function with hooks and one without by turns, and prints what CPU time a call of each took in each turn, in nanoseconds.
   Arguments: the number of turns, of calls in each, and of rounds in a call. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int plain(int rounds);
int hooked(int rounds);
int other(int rounds);

static double nanoseconds(int (*function)(int), int calls, int rounds)
{
    struct timespec before, after;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
    for (int call = 0; call < calls; call++)
        function(rounds);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
    return ((after.tv_sec - before.tv_sec) * 1e9 + (after.tv_nsec - before.tv_nsec)) / calls;
}

int main(int count, char **words)
{
    if (count != 4)
        return 2;
    int turns = atoi(words[1]), calls = atoi(words[2]), rounds = atoi(words[3]);
    other(rounds);
    for (int turn = 0; turn < turns; turn++) {
        int (*first)(int) = turn % 2 ? hooked : plain, (*second)(int) = turn % 2 ? plain : hooked;
        double one = nanoseconds(first, calls, rounds), two = nanoseconds(second, calls, rounds);
        printf("%.3f %.3f\n", turn % 2 ? two : one, turn % 2 ? one : two);
    }
    return 0;
}
