/* A process, its child and its grandchild, each with a profile of its own that starts at zero.
   Usage: fork exit|_exit|return. Prints `child PID` and `grandchild PID`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "counted.h"

COUNTED void work(void)
{
    BARRIER();
}

COUNTED int leave(const char *how)
{
    if (strcmp(how, "exit") == 0)
        exit(3);
    if (strcmp(how, "_exit") == 0)
        _exit(3);
    return 3;
}

COUNTED int wait_for(const char *name, pid_t child)
{
    int status = -1;

    dprintf(STDOUT_FILENO, "%s %d\n", name, (int)child);
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

COUNTED int grandchild(const char *how)
{
    int i;

    for (i = 0; i < 7; i++)
        work();
    i = leave(how);
    BARRIER();
    return i;
}

COUNTED int child(const char *how)
{
    pid_t pid;
    int i;

    for (i = 0; i < 5; i++)
        work();
    pid = fork();
    if (pid == 0)
        i = grandchild(how);
    else if (wait_for("grandchild", pid) == 3)
        i = leave(how);
    else
        i = 254;
    BARRIER();
    return i;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "return";
    pid_t pid;
    int i;

    for (i = 0; i < 10; i++)
        work();
    pid = fork();
    if (pid == 0) {
        i = child(how);
    } else {
        for (i = 0; i < 10; i++)
            work();
        i = wait_for("child", pid) != 3;
    }
    BARRIER();
    return i;
}
