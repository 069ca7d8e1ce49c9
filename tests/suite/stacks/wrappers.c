/* Calls functions in whose place the runtime stands, each for a while in a caller of its own. The list is that of
 * exports.txt but for those that end the process. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef void (*handler)(int);
handler bsd_signal(int, handler), sysv_signal(int, handler), __sysv_signal(int, handler);
handler sigset(int, handler);
int sigignore(int);

static char none[] = "/nothing/here";
static char *words[] = {none, NULL}, *environment[] = {NULL};
static char stack[65536];

static int end(void *unused) {
    (void)unused;
    return 0;
}

/* A thread's first hook takes longer than the thread. */
__attribute__((no_instrument_function)) static void *begins(void *unused) {
    return unused;
}

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* A caller that does something for so much CPU time. */
#define CALLER(name, ...)                                                                          \
    __attribute__((noinline, noclone)) static void calls_##name(double seconds) {                  \
        double until = now(CLOCK_PROCESS_CPUTIME_ID) + seconds;                                    \
        do                                                                                         \
            for (int turn = 0; turn < 100; turn++) { __VA_ARGS__; }                                \
        while (now(CLOCK_PROCESS_CPUTIME_ID) < until);                                             \
    }

CALLER(sigaction, struct sigaction old; sigaction(SIGUSR1, NULL, &old))
CALLER(signal, signal(SIGUSR1, SIG_IGN))
CALLER(bsd_signal, bsd_signal(SIGUSR1, SIG_IGN))
CALLER(ssignal, ssignal(SIGUSR1, SIG_IGN))
CALLER(sysv_signal, sysv_signal(SIGUSR1, SIG_IGN))
CALLER(__sysv_signal, __sysv_signal(SIGUSR1, SIG_IGN))
CALLER(sigset, sigset(SIGUSR1, SIG_IGN))
CALLER(sigignore, sigignore(SIGUSR1))
CALLER(siginterrupt, siginterrupt(SIGUSR1, 1))
CALLER(sigprocmask, sigset_t set; sigprocmask(SIG_BLOCK, NULL, &set))
CALLER(pthread_sigmask, sigset_t set; pthread_sigmask(SIG_BLOCK, NULL, &set))
CALLER(setitimer, struct itimerval timer = {0}; setitimer(ITIMER_REAL, &timer, NULL))
CALLER(getitimer, struct itimerval timer; getitimer(ITIMER_REAL, &timer))
CALLER(execve, execve(none, words, environment))
CALLER(execv, execv(none, words))
CALLER(execvp, execvp(none, words))
CALLER(execvpe, execvpe(none, words, environment))
CALLER(execl, execl(none, none, NULL))
CALLER(execlp, execlp(none, none, NULL))
CALLER(execle, execle(none, none, NULL, environment))
CALLER(fexecve, fexecve(-1, words, environment))
CALLER(execveat, execveat(AT_FDCWD, none, words, environment, 0))
CALLER(syscall, syscall(SYS_getppid))
CALLER(pthread_create, pthread_t thread; if (!pthread_create(&thread, NULL, begins, NULL)) pthread_join(thread, NULL))
CALLER(clone, clone(end, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, NULL); wait(NULL))
#ifndef NO_LOADER
CALLER(dlclose, void *library = dlopen("libm.so.6", RTLD_NOW); if (library) dlclose(library))
#endif

/* Waits in one of them, again if a signal has ended the wait, as locks do. */
__attribute__((noinline, noclone)) static void waits_syscall(double seconds) {
    static int word;
    struct timespec time = {0, (long)(seconds * 1e9)};
    while (syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &time, NULL, 0) && errno == EINTR) {
    }
}

#define CALL(name) if (!strcmp(argv[1], #name)) calls_##name(0.06)

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    CALL(sigaction);
    CALL(signal);
    CALL(bsd_signal);
    CALL(ssignal);
    CALL(sysv_signal);
    CALL(__sysv_signal);
    CALL(sigset);
    CALL(sigignore);
    CALL(siginterrupt);
    CALL(sigprocmask);
    CALL(pthread_sigmask);
    CALL(setitimer);
    CALL(getitimer);
    CALL(execve);
    CALL(execv);
    CALL(execvp);
    CALL(execvpe);
    CALL(execl);
    CALL(execlp);
    CALL(execle);
    CALL(fexecve);
    CALL(execveat);
    CALL(syscall);
    CALL(pthread_create);
    CALL(clone);
#ifndef NO_LOADER
    CALL(dlclose);
#endif
    if (!strcmp(argv[1], "wait")) waits_syscall(0.5);
    return 0;
}
