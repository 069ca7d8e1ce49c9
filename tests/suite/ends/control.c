/* Starts, stops, resets and writes its own profile, step by step as its arguments say:
     work N        N calls of `work` by `step`
     NAME          the control function of that name
     keep NAME     renames gmon.out
     fork          goes on in a child and waits for it
   Prints what `gmon_snapshot` returns, and the number of the child. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "gmon.h"
#include "counted.h"

extern char __executable_start, etext;

COUNTED void work(void)
{
    BARRIER();
}

COUNTED void step(const char *name)
{
    int i;

#define IS(text) (strcmp(name, text) == 0)
    if (strncmp(name, "work ", 5) == 0)
        for (i = atoi(name + 5); i > 0; i--)
            work();
    if (strncmp(name, "keep ", 5) == 0)
        rename("gmon.out", name + 5);
    if (IS("gmon_start"))
        GMON_START();
    if (IS("gmon_stop"))
        GMON_STOP();
    if (IS("gmon_reset"))
        GMON_RESET();
    if (IS("gmon_snapshot"))
        printf("gmon_snapshot %d\n", GMON_SNAPSHOT());
    if (IS("moncontrol(0)"))
        moncontrol(0);
    if (IS("moncontrol(1)"))
        moncontrol(1);
    if (IS("monstartup"))
        monstartup((unsigned long)&__executable_start, (unsigned long)&etext);
    if (IS("_mcleanup"))
        _mcleanup();
    if (IS("fork")) {
        int status = -1;
        pid_t pid = fork();

        if (pid) {
            printf("child %d\n", (int)pid);
            waitpid(pid, &status, 0);
            exit(status != 0);
        }
    }
    BARRIER();
}

int main(int argc, char **argv)
{
    int i;

    for (i = 1; i < argc; i++)
        step(argv[i]);
    return 0;
}
