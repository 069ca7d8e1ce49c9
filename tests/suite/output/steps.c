/* Takes the steps that its arguments name, each of which makes it harder to write a file, then
   counts and ends with status 17:
     chdir DIR, chroot DIR, user ID, limit BYTES    as the system calls
     rename FROM TO
     close N      the descriptor
     close all    every descriptor but the standard ones
     escape       leaves the root by way of an open directory, if there is one
     reuse        all numbers up to 1100 for descriptors of another directory
     remove DIR   the empty directory
     wait         prints `ready` and waits for the end of the standard input
     spin         takes time, enough for samples
     list         its descriptors, by a child that is another program
     exec         that program in its own place */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "counted.h"

COUNTED void work(void)
{
    BARRIER();
}

COUNTED void list(int replace)
{
    pid_t pid = replace ? 0 : fork();

    if (pid == 0) {
        execl("/bin/sh", "sh", "-c", "cd /proc/self/fd && echo *; exit 17", (char *)0);
        _exit(100);
    }
    waitpid(pid, 0, 0);
}

COUNTED int step(const char *words)
{
    const char *rest = strchr(words, ' ') ? strchr(words, ' ') + 1 : "";
    struct rlimit limit = {0, 0};
    int i;
    char byte;

#define IS(name) (strncmp(words, name, strlen(name)) == 0)
    if (IS("chdir"))
        return chdir(rest);
    if (IS("rename")) {
        char from[256], to[256];
        return sscanf(rest, "%255s %255s", from, to) == 2 ? rename(from, to) : -1;
    }
    if (IS("chroot"))
        return chroot(rest);
    if (IS("user"))
        return setgid((gid_t)atoi(rest)) || setuid((uid_t)atoi(rest));
    if (IS("limit")) {
        limit.rlim_cur = limit.rlim_max = (rlim_t)atoi(rest);
        return setrlimit(RLIMIT_FSIZE, &limit);
    }
    if (IS("close all"))
        closefrom(3);
    else if (IS("close"))
        return close(atoi(rest));
    if (IS("reuse")) {
        int other = open("/", O_PATH | O_DIRECTORY);

        closefrom(other + 1);
        for (i = other + 1; i <= 1100; i++)
            dup2(other, i);
    }
    if (IS("escape"))
        for (i = 3; i <= 1100; i++)
            if (openat(i, "..", O_PATH) >= 0)
                return -1;
    if (IS("remove"))
        return rmdir(rest);
    if (IS("wait")) {
        dprintf(STDOUT_FILENO, "ready\n");
        while (read(STDIN_FILENO, &byte, 1) > 0)
            ;
    }
    if (IS("spin"))
        for (clock_t end = clock() + CLOCKS_PER_SEC / 5; clock() < end;)
            ;
    if (IS("list"))
        list(0);
    if (IS("exec"))
        list(1);
    if (IS("kill"))
        raise(SIGKILL);
    return 0;
}

int main(int argc, char **argv)
{
    int i;

    for (i = 1; i < argc; i++)
        if (step(argv[i]) != 0) {
            perror(argv[i]);
            return 100;
        }
    for (i = 0; i < 10; i++)
        work();
    return 17;
}
