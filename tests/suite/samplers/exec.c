/* Executes itself by a bare system call while it is sampled, also in a handler that blocks all signals: without
 * profiling any more, the new program lets signals through and uses CPU time, and would die of a sampler's signal if one
 * waited for it, or if a timer had outlived the old one. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cpu_time.h"

extern char **environ;

static char *arguments[2];

static void replace(int signal) {
    (void)signal;
    use(0.05);
    setenv("GMON_OPTIONS", "off", 1);
    syscall(SYS_execve, "/proc/self/exe", arguments, environ);
    _exit(2);
}

int main(int argc, char **argv) {
    sigset_t all;
    sigfillset(&all);
    arguments[0] = argv[0];
    sigprocmask(SIG_UNBLOCK, &all, NULL);
    use(0.1);
    if (argc > 1 && strcmp(argv[1], "handler") == 0) {
        struct sigaction action = {.sa_handler = replace, .sa_mask = all};
        sigaction(SIGUSR1, &action, NULL);
        raise(SIGUSR1);
    }
    if (argc > 1) replace(0);
    puts("alive yes");
}
