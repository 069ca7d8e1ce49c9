/* Blocks SIGPROF behind the runtime's back, forks, and tells whether parent and child still block it; then the same unblocked. */
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "counted.h"
#include "cpu_time.h"

static unsigned long set = 1ul << (SIGPROF - 1);

static int is_blocked(void) {
    unsigned long mask = 0;
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &mask, 8);
    return (mask & set) != 0;
}

COUNTED static void tell_of(const char *parent, const char *child) {
    int status = 0;
    pid_t pid = fork();
    if (pid == 0) _exit(is_blocked());
    waitpid(pid, &status, 0);
    printf("%s %d\n%s %d\n", parent, is_blocked(), child, WEXITSTATUS(status));
}

int main(void) {
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &set, NULL, 8);
    tell_of("parent", "child");
    syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &set, NULL, 8);
    tell_of("open-parent", "open-child");
    return 0;
}
