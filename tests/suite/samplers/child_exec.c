/* A child by a bare system call, whose first deed is to fail to execute a program, uses CPU time. */
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "counted.h"
#include "cpu_time.h"

COUNTED static void in_child(void) { use(0.2); }

int main(void) {
    close(open("script", O_CREAT | O_WRONLY, 0700));
    pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0) {
        char *arguments[] = {"script", NULL};
        execve("./script", arguments, arguments + 1);
        in_child();
        tell("in_child", seconds_of(CLOCK_THREAD_CPUTIME_ID));
        return 0;
    }
    waitpid(child, NULL, 0);
    printf("child %d\n", (int)child);
}
