/* Runs commands by turns, ROUNDS times each, and prints for each what its runs took. A command may begin with a
 * variable of its environment.
 *
 *   launcher [-k] ROUNDS [NAME=VALUE] WORD... [, [NAME=VALUE] WORD...]...
 *   a line each: fastest and middle wall time (ns), least CPU time (ns), largest memory (KiB)
 *
 * With -k each command has a folder of its own, in which it finds the gmon.out of its last run; else
 * there is none. What they print is dropped. The launcher is small: a child's memory is counted from the moment it
 * is made, when it has that of its parent.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static long long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int ascending(const void *a, const void *b) {
    long long x = *(const long long *)a, y = *(const long long *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    int keeps = argc > 1 && !strcmp(argv[1], "-k");
    argc -= keeps;
    argv += keeps;
    int rounds = argc > 2 ? atoi(argv[1]) : 0, programs = 0;
    if (rounds < 1) return 2;
    char ***commands = calloc(argc, sizeof *commands);
    posix_spawn_file_actions_t nowhere;
    if (!commands || posix_spawn_file_actions_init(&nowhere) ||
        posix_spawn_file_actions_addopen(&nowhere, STDOUT_FILENO, "/dev/null", O_WRONLY, 0))
        return 1;
    commands[programs++] = argv + 2;
    for (int i = 3; i < argc - 1; i++)
        if (!strcmp(argv[i], ",")) {
            argv[i] = NULL;
            commands[programs++] = argv + i + 1;
        }
    long long *wall = calloc((size_t)rounds * programs, sizeof *wall);
    long long *cpu = calloc(programs, sizeof *cpu);
    long *memory = calloc(programs, sizeof *memory);
    if (!wall || !cpu || !memory) return 1;
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < programs; i++) {
            char folder[16];
            snprintf(folder, sizeof folder, "folder%d", i);
            if (keeps && round == 0) mkdir(folder, 0755);
            if (keeps && chdir(folder)) return 1;
            if (!keeps) unlink("gmon.out");
            pid_t pid;
            int status;
            struct rusage used;
            char **words = commands[i], *variable = strchr(words[0], '=') ? *words++ : NULL;
            size_t name = variable ? strchr(variable, '=') - variable : 0;
            if (variable && putenv(variable)) return 1;
            long long start = now();
            if (posix_spawnp(&pid, words[0], &nowhere, NULL, words, environ)) return 1;
            if (wait4(pid, &status, 0, &used) != pid || status != 0) return 1;
            wall[(size_t)i * rounds + round] = now() - start;
            if (variable) {
                char *copy = strndup(variable, name);
                if (!copy || unsetenv(copy)) return 1;
                free(copy);
            }
            if (keeps && chdir("..")) return 1;
            long long time = (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000000LL +
                             (used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000LL;
            if (round == 0 || time < cpu[i]) cpu[i] = time;
            if (used.ru_maxrss > memory[i]) memory[i] = used.ru_maxrss;
        }
    for (int i = 0; i < programs; i++) {
        long long *mine = wall + (size_t)i * rounds;
        qsort(mine, rounds, sizeof *mine, ascending);
        printf("%lld %lld %lld %ld\n", mine[0], mine[rounds / 2], cpu[i], memory[i]);
    }
    return 0;
}
