/* Replaces itself by way of every function of the exec family, and fails by way of each.

   Usage: exec HOW [PATH]   counts, then replaces itself by `PATH new ARGUMENTS…` (else by itself)
                            by way of HOW, and says so if it cannot
          exec fail         lets every function fail in several ways and prints what each says
          exec new …        what takes its place: prints its arguments and two of its variables,
                            then computes for a while, which an inherited timer would not let it
          exec vfork HOW    does the first in a child of vfork, and counts on
          exec scripts      has 100 children of vfork run ./script by execvp, and prints how many pages that leaves */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "counted.h"

extern char **environ;

static char self[4096];

COUNTED void work(void)
{
    BARRIER();
}

COUNTED void print_new(int argc, char **argv)
{
    const char *mark = getenv("MARK"), *home = getenv("HOME");
    int i;

    for (i = 0; i < argc; i++)
        printf("%s ", i == 0 ? "argv0" : argv[i]);
    printf("MARK=%s HOME=%s\n", mark ? mark : "(none)", home ? "(some)" : "(none)");
}

COUNTED void compute(void)
{
    clock_t end = clock() + CLOCKS_PER_SEC / 25;

    while (clock() < end)
        work();
}

#define MANY                                                                                       \
    "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17",   \
        "18", "19", "20"

#define X50 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
/* A name that no file can have. */
#define LONG "./" X50 X50 X50 X50 X50 X50

/* Each by way of its own function; returns what that returns. */
COUNTED int replace(const char *how, const char *path)
{
    char *const list[] = {(char *)path, "new", "a", "b c", "", 0};
    char preloaded[4096];
    char *const environment[] = {"MARK=mine", preloaded, 0};
    char *const *volatile no_environment = 0;
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;

    snprintf(preloaded, sizeof preloaded, "LD_PRELOAD=%s",
             getenv("LD_PRELOAD") ? getenv("LD_PRELOAD") : "");
#define IS(text) (strcmp(how, text) == 0)
    if (IS("execl"))
        return execl(path, path, "new", "a", "b c", "", (char *)0);
    if (IS("execl-1"))
        return execl(path, path, "new", (char *)0);
    if (IS("execl-4"))
        return execl(path, path, "new", "a", "b", (char *)0);
    if (IS("execl-5"))
        return execl(path, path, "new", "a", "b", "c", (char *)0);
    if (IS("execl-6"))
        return execl(path, path, "new", "a", "b", "c", "d", (char *)0);
    if (IS("execl-many"))
        return execl(path, path, "new", MANY, (char *)0);
    if (IS("execlp"))
        return execlp(name, path, "new", "a", "b c", "", (char *)0);
    if (IS("execlp-many"))
        return execlp(name, path, "new", MANY, "21", (char *)0);
    if (IS("execle"))
        return execle(path, path, "new", "a", "b c", "", (char *)0, environment);
    if (IS("execle-1"))
        return execle(path, path, "new", (char *)0, environment);
    if (IS("execle-4"))
        return execle(path, path, "new", "a", "b", (char *)0, environment);
    if (IS("execle-many"))
        return execle(path, path, "new", MANY, (char *)0, environment);
    if (IS("execv"))
        return execv(path, list);
    if (IS("execvp"))
        return execvp(name, list);
    if (IS("execvp-thousand")) {
        static char *thousand[1001];
        int i;

        for (i = 2; i < 1000; i++)
            thousand[i] = "x";
        thousand[0] = (char *)path;
        thousand[1] = "new";
        return execvp(name, thousand);
    }
    if (IS("execvpe"))
        return execvpe(name, list, environment);
    if (IS("execve, empty environment"))
        return execve(path, list, no_environment);
    if (IS("execve"))
        return execve(path, list, environment);
    if (IS("execveat"))
        return execveat(AT_FDCWD, path, list, environment, 0);
    if (IS("execveat, open file"))
        return execveat(open(path, O_RDONLY | O_CLOEXEC), "", list, environment, AT_EMPTY_PATH);
    if (IS("system call execve"))
        return (int)syscall(SYS_execve, path, list, environment);
    if (IS("system call execveat"))
        return (int)syscall(SYS_execveat, AT_FDCWD, path, list, environment, 0);
    if (IS("fexecve"))
        return fexecve(open(path, O_RDONLY | O_CLOEXEC), list, environment);
    errno = 0;
    return -2;
}

static const char *const family[] = {"execl",   "execlp",  "execle",
                                     "execv",   "execvp",  "execvpe",
                                     "execve",  "fexecve", "execveat",
                                     "execveat, open file", "system call execve",
                                     "system call execveat"};

COUNTED void fail(void)
{
    static const char *const paths[] = {"./missing", "./", "./plain", "./program/below", "", LONG};
    char *const *volatile nobody = 0;
    const char *volatile no_path = 0;
    unsigned i, j;

    for (i = 0; i < sizeof paths / sizeof *paths; i++)
        for (j = 0; j < sizeof family / sizeof *family; j++) {
            int result;

            errno = 0;
            result = replace(family[j], paths[i]);
            printf("%s %s: %d %s\n", family[j], paths[i], result, strerrorname_np(errno));
        }
    /* Linux takes these: a path that is none, and no environment, which is an empty one. */
    errno = 0;
    i = (unsigned)execve(no_path, nobody, nobody);
    printf("execve without a path: %d %s\n", (int)i, strerrorname_np(errno));
    errno = 0;
    i = (unsigned)syscall(SYS_execve, no_path, nobody, nobody);
    printf("system call execve without a path: %d %s\n", (int)i, strerrorname_np(errno));
}

COUNTED long pages(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    long count = 0;

    if (fscanf(file, "%ld", &count) != 1)
        count = -1;
    fclose(file);
    return count;
}

COUNTED void run_script(void)
{
    pid_t pid = vfork();

    if (pid == 0) {
        replace("execvp", "./script");
        _exit(99);
    }
    waitpid(pid, 0, 0);
}

int main(int argc, char **argv)
{
    int i;

    strcpy(self, argv[0]);
    if (argc > 1 && strcmp(argv[1], "new") == 0) {
        print_new(argc, argv);
        compute();
        return 7;
    }
    for (i = 0; i < 11; i++)
        work();
    if (argc > 1 && strcmp(argv[1], "fail") == 0) {
        fail();
        return 0;
    }
    if (argc > 1 && strcmp(argv[1], "scripts") == 0) {
        long before;

        run_script();
        before = pages();
        for (i = 0; i < 100; i++)
            run_script();
        printf("pages %ld\n", pages() - before);
        return 0;
    }
    if (argc > 2 && strcmp(argv[1], "vfork") == 0) {
        int status = -1;
        pid_t pid = vfork();

        if (pid == 0) {
            replace(argv[2], self);
            _exit(99);
        }
        waitpid(pid, &status, 0);
        printf("child %d\n", (int)pid);
        for (i = 0; i < 11; i++)
            work();
        return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
    }
    i = replace(argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : self);
    printf("%d %s\n", i, strerrorname_np(errno));
    return 98;
}
