/* Counts, goes into the background by daemon(3), counts there, and prints what it finds there to
   what was the standard output before.

   Usage: daemon NOCHDIR NOCLOSE */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "counted.h"

COUNTED void work(void)
{
    BARRIER();
}

COUNTED void background_work(void)
{
    BARRIER();
}

/* What a program can find out about itself in the background. */
COUNTED void tell(FILE *told, int result)
{
    struct stat null, stream;
    char directory[4096];
    int i;

    fprintf(told, "result %d %s\n", result, strerror(errno));
    fprintf(told, "leads %d\n", getpid() == getsid(0));
    fprintf(told, "root %d\n", strcmp(getcwd(directory, sizeof directory), "/") == 0);
    stat("/dev/null", &null);
    for (i = 0; i < 3; i++)
        fprintf(told, "mute %d\n", fstat(i, &stream) == 0 && stream.st_rdev == null.st_rdev);
    fprintf(told, "lowest %d\n", dup(0));
    fprintf(told, "child %d\n", (int)getpid());
}

int main(int argc, char **argv)
{
    FILE *told = fdopen(dup(1), "w");
    int i, result;

    for (i = 0; i < 17; i++)
        work();
    errno = 0;
    result = daemon(atoi(argv[argc - 2]), atoi(argv[argc - 1]));
    for (i = 0; i < 5; i++)
        background_work();
    tell(told, result);
    return result == 0 ? 0 : 1;
}
