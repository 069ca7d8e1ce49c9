/* Waits 0.3 seconds in the parent and as long in the last of many children, which says its number. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile int sum;

static void doze(void) {
    struct timespec left = {0, 300000000};
    while (nanosleep(&left, &left) != 0 && errno == EINTR) sum++;
}

__attribute__((noinline)) void in_parent(void) {
    doze();
    sum++;
}

__attribute__((noinline)) void in_child(void) {
    doze();
    sum++;
}

int main(void) {
    int status;
    in_parent();
    for (int i = 0; i < 100; i++) {
        pid_t child = fork();
        if (child == 0) _exit(0);
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) sum++;
    }
    pid_t child = fork();
    if (child == 0) {
        in_child();
        exit(0);
    }
    printf("child %d\n", (int)child);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) sum++;
    return status != 0;
}
