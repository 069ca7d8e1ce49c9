/* Gives up rights in several ways, and tells after each how many threads have what the first one has left. */
#define _GNU_SOURCE
#include <dirent.h>
#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { NOBODY = 65534, SIZE = 1 << 14, TRIES = 2000 };

/* The rights of a thread: users, groups and capabilities. */
static void rights(const char *thread, char *text) {
    static const char *const names[] = {"Uid", "Gid", "Groups", "CapInh", "CapPrm", "CapEff"};
    char path[300], line[1024];
    snprintf(path, sizeof path, "/proc/self/task/%s/status", thread);
    FILE *file = fopen(path, "r");
    *text = 0;
    while (file && fgets(line, sizeof line, file))
        for (int i = 0; i < 6; i++)
            if (!strncmp(line, names[i], strlen(names[i]))) strcat(text, line);
    if (file) fclose(file);
}

/* The number of threads if all have equal rights, else 0. */
static int equal(void) {
    static char first[SIZE], other[SIZE];
    int threads = 0, same = 0;
    DIR *folder = opendir("/proc/self/task");
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (*entry->d_name == '.') continue;
        rights(entry->d_name, threads ? other : first);
        same += !threads || !strcmp(first, other);
        threads++;
    }
    closedir(folder);
    return same == threads ? threads : 0;
}

static void tell(const char *what) {
    int threads = 0;
    for (int i = 0; i < TRIES && !(threads = equal()); i++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    printf("%s %d\n", what, threads);
}

int main(void) {
    gid_t groups[] = {7, 8};
    tell("start");
    if (setgroups(2, groups) || setegid(5) || seteuid(NOBODY)) return 1;
    tell("effective");
    if (seteuid(0) || setegid(0)) return 2;
    tell("regained");
    if (setgroups(0, NULL) || setgid(NOBODY) || prctl(PR_SET_KEEPCAPS, 1) || setuid(NOBODY)) return 3;
    tell("kept");
    if (seteuid(NOBODY)) return 4;
    tell("user");
    return 0;
}
