/* Forks while profiling is paused, then blocks SIGPROF behind the runtime's back, uses CPU time and tells whether the
 * signal came. */
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "counted.h"
#include "cpu_time.h"

extern void moncontrol(int mode);

COUNTED static void work(void) { use(0.1); }

int main(void) {
    unsigned long set = 1ul << (SIGPROF - 1), pending = 0;
    work();
    moncontrol(0);
    pid_t child = fork();
    if (child == 0) _exit(0);
    waitpid(child, NULL, 0);
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &set, NULL, 8);
    work();
    syscall(SYS_rt_sigpending, &pending, 8);
    printf("pending %d\n", (pending & set) != 0);
    return 0;
}
