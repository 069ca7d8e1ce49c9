/* Makes system calls by syscall(2) and prints what each answers: all six arguments arrive, answers that are
   negative are answers unless they are errors, and errno says which. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "counted.h"

#ifdef SYS_mmap2
#define MAP_NUMBER SYS_mmap2
#define MAP_UNIT 4096
#else
#define MAP_NUMBER SYS_mmap
#define MAP_UNIT 1
#endif

COUNTED void print(const char *what, long answer)
{
    printf("%s: %ld, errno %d\n", what, answer, errno);
    fflush(stdout);
    errno = 0;
}

int main(void)
{
    enum { PAGE = 65536 };
    char text[] = "all six arguments";
    int status, file = open(".", O_TMPFILE | O_RDWR, 0600);
    struct timespec none = {0, 0};
    int word = 5;
    char *mapped;
    long child;

    errno = 0;
    print("no arguments", syscall(SYS_getpid) == getpid());
    print("three", syscall(SYS_write, file, text, sizeof text) == sizeof text);
    print("two", syscall(SYS_ftruncate, file, 2 * PAGE));
    print("at the end", pwrite(file, text, sizeof text, PAGE) == sizeof text);
    mapped = (char *)syscall(MAP_NUMBER, 0, PAGE, PROT_READ, MAP_SHARED, file, PAGE / MAP_UNIT);
    print("six", strcmp(mapped, text));
    word = 5;
    print("six, two unused", syscall(SYS_futex, &word, 0 /* FUTEX_WAIT */, 6, &none, 0, 0));
    print("an error", syscall(SYS_close, -1));
    print("another error", syscall(SYS_openat, AT_FDCWD, "./missing/file", O_RDONLY));
    print("no such call", syscall(100000));
    print("negative answer", syscall(SYS_getpriority, 0, 0) > 0);
    child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0)
        syscall(SYS_exit_group, 7);
    waitpid((pid_t)child, &status, 0);
    print("a child", WEXITSTATUS(status));
    child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0) {
        syscall(SYS_execve, "/missing", 0, 0);
        syscall(SYS_exit, 9);
    }
    waitpid((pid_t)child, &status, 0);
    print("another child", WEXITSTATUS(status));
    return 0;
}
