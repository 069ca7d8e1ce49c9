/* Handles SIGPROF itself, 20 times a second of CPU time: from main on, or (with EARLY set) before
 * the profile starts. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "cpu_time.h"

static volatile sig_atomic_t ticks;

__attribute__((no_instrument_function)) static void on_tick(int signal) {
    (void)signal;
    ticks++;
}

__attribute__((no_instrument_function)) static void handle_ticks(void) {
    struct sigaction action, old;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_tick;
    action.sa_flags = SA_RESTART;
    sigaction(SIGPROF, &action, &old);
    printf("before %s\n", old.sa_handler == SIG_DFL ? "default" : "taken");
}

__attribute__((no_instrument_function)) static void before_all(int argc, char **argv, char **envp) {
    (void)argc, (void)argv;
    for (; *envp; envp++)
        if (strcmp(*envp, "EARLY=1") == 0) handle_ticks();
}

__attribute__((section(".preinit_array"), used)) static void (*const early)(int, char **, char **) =
    before_all;

int main(void) {
    if (getenv("EARLY") == NULL) handle_ticks();
    struct itimerval often = {{0, 50000}, {0, 50000}};
    setitimer(ITIMER_PROF, &often, NULL);
    use(0.6);
    printf("ticks %d\n", (int)ticks);
}
