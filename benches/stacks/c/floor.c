/* `deep.c` with signals as often as samples come, by the kernel's clock that samples come by, and a handler that does
 * nothing: what the kernel takes for them. Usage: floor HZ */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "deep.c"

static void ignore(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)info, (void)context;
}

__attribute__((constructor)) static void start(int count, char **arguments) {
    struct perf_event_attr clock;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = ignore;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigfillset(&action.sa_mask);
    sigaction(SIGTRAP, &action, NULL);
    memset(&clock, 0, sizeof clock);
    clock.size = sizeof clock;
    clock.type = PERF_TYPE_SOFTWARE;
    clock.config = PERF_COUNT_SW_TASK_CLOCK;
    clock.sample_period = 1000000000 / (count > 1 ? atoi(arguments[1]) : 1000);
    clock.exclude_hv = 1;
    clock.remove_on_exec = 1;
    clock.sigtrap = 1;
    if (syscall(SYS_perf_event_open, &clock, 0, -1, -1, PERF_FLAG_FD_CLOEXEC) < 0) {
        perror("a clock that signals");
        _exit(1);
    }
}
