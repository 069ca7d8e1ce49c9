/* Marks, many by turns; prints what one took in each turn, in nanoseconds of CPU time. */
#include <gmon.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

int main(int count, char **words) {
    int turns = count > 1 ? atoi(words[1]) : 1, marks = 10000;
    for (int turn = 0; turn < turns; turn++) {
        double begun = now();
        for (int i = 0; i < marks; i++) GMON_MARK("frame 17");
        printf("%f\n", (now() - begun) / marks);
    }
    return 0;
}
