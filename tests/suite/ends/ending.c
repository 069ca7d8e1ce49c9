/* Counts 21 calls in `main`, then ends in the way its argument names. Must end like a program
   without a profile, and leave one. */
#define _GNU_SOURCE
#include <assert.h>
#include <err.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "counted.h"

static volatile int zero;

/* What the compiler puts into programs that look after themselves. */
void __stack_chk_fail(void);
void *__memcpy_chk(void *, const void *, size_t, size_t);

COUNTED void work(void)
{
    BARRIER();
}

COUNTED void handler(int signal)
{
    work();
    _exit(40 + signal % 10);
}

COUNTED void once(int signal)
{
    work();
    BARRIER();
    (void)signal;
}

COUNTED void *exit_5(void *unused)
{
    (void)unused;
    exit(5);
}

COUNTED void *exit_alone(void *unused)
{
    (void)unused;
    syscall(SYS_exit, 0);
    return 0;
}

COUNTED void *kill_15(void *unused)
{
    (void)unused;
    raise(SIGTERM);
    return 0;
}

COUNTED int deeper(int depth)
{
    volatile char frame[4096];

    frame[0] = (char)depth;
    return depth == 0 ? frame[0] : deeper(depth - 1) + frame[0];
}

/* Overflows the stack of a thread; with a stack for signals of its own if there is an argument. */
COUNTED void *overflow(void *own)
{
    stack_t stack = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};

    if (own)
        sigaltstack(&stack, 0);
    deeper(1 << 20);
    return 0;
}

/* Dies by `signal` as a program does that cleans up first: default action, once more. */
COUNTED void and_again(int number)
{
    work();
    signal(number, SIG_DFL);
    raise(number);
}

/* What the C library is about to say does not matter. */
static void be_quiet(void)
{
    if (!freopen("/dev/null", "w", stderr))
        exit(100);
}

/* The thread that lives longest. */
COUNTED void *last(void *first)
{
    pthread_join(*(pthread_t *)first, 0);
    work();
    return 0;
}

/* What else sets a signal's action: each must say that it was the default, and make it that again. They are
   declared here because the headers warn of them. */
typedef void handler_function(int);
typedef handler_function *signal_function(int, handler_function *);
signal_function __sysv_signal, bsd_signal, sigset_as_of_old __asm__("sigset");
int ignore_as_of_old(int) __asm__("sigignore");
int interrupt_as_of_old(int, int) __asm__("siginterrupt");

COUNTED void set_by(signal_function *set)
{
    if (set(SIGTERM, SIG_DFL) != SIG_DFL)
        exit(100);
    if (set(SIGTERM, once) != SIG_DFL)
        exit(101);
    if (set(SIGTERM, SIG_DFL) != once)
        exit(102);
    raise(SIGTERM);
}

COUNTED void end(const char *how)
{
    struct sigaction action = {.sa_handler = once, .sa_flags = SA_RESETHAND};
    static pthread_t first;
    static char buffer[4];
    pthread_t thread;
    sigset_t set;

#define IS(text) (strcmp(how, text) == 0)
    if (strncmp(how, "raise ", 6) == 0)
        raise(atoi(how + 6));
    if (strncmp(how, "kill ", 5) == 0) {
        kill(getpid(), atoi(how + 5));
        for (;;)
            pause();
    }
    if (IS("exit"))
        exit(3);
    if (IS("_exit"))
        _exit(4);
    if (IS("_Exit"))
        _Exit(5);
    if (IS("quick_exit"))
        quick_exit(6);
    if (IS("system call exit_group"))
        syscall(SYS_exit_group, 9);
    if (IS("system call exit"))
        syscall(SYS_exit, 9);
    if (IS("system call exit in a thread")) {
        pthread_create(&thread, 0, exit_alone, 0);
        pthread_join(thread, 0);
        work();
    }
    if (IS("exit in a thread")) {
        pthread_create(&thread, 0, exit_5, 0);
        pthread_join(thread, 0);
    }
    if (IS("signal in a thread")) {
        pthread_create(&thread, 0, kill_15, 0);
        pthread_join(thread, 0);
    }
    if (IS("abort"))
        abort();
    if (IS("abort, handled")) {
        signal(SIGABRT, once);
        abort();
    }
    if (IS("abort, ignored")) {
        signal(SIGABRT, SIG_IGN);
        abort();
    }
    if (IS("failed assertion") || IS("failed assertion, handled")) {
        be_quiet();
        if (IS("failed assertion, handled"))
            signal(SIGABRT, once);
        assert(zero != 0);
    }
    if (IS("abort, handled once")) {
        action.sa_handler = once;
        sigaction(SIGABRT, &action, 0);
        abort();
    }
    if (IS("smashed stack")) {
        be_quiet();
        __stack_chk_fail();
    }
    if (IS("fortified")) {
        be_quiet();
        __memcpy_chk(buffer, "too long", (size_t)zero + 8, sizeof buffer);
    }
    if (IS("twice freed")) {
        void *volatile block = malloc(2000), *volatile behind = malloc(1);
        be_quiet();
        free(block);
        free(block);
        free(behind);
    }
    if (IS("errx")) {
        be_quiet();
        errx(7, "errx");
    }
    if (IS("pthread_exit"))
        pthread_exit(0);
    if (IS("pthread_exit, not the last")) {
        first = pthread_self();
        pthread_create(&thread, 0, last, &first);
        pthread_exit(0);
    }
    if (IS("signal in strict C"))
        set_by(__sysv_signal);
    if (IS("signal in strict C, called once")) {
        __sysv_signal(SIGTERM, once);
        raise(SIGTERM);
        raise(SIGTERM);
    }
    if (IS("bsd_signal"))
        set_by(bsd_signal);
    if (IS("ssignal"))
        set_by(ssignal);
    if (IS("sigset"))
        set_by(sigset_as_of_old);
    if (IS("sigset, held")) {
        if (sigset_as_of_old(SIGTERM, SIG_HOLD) != SIG_DFL || sigset_as_of_old(SIGTERM, SIG_HOLD) != SIG_HOLD)
            exit(100);
        raise(SIGTERM);
        sigset_as_of_old(SIGTERM, SIG_DFL);
    }
    if (IS("sigignore")) {
        ignore_as_of_old(SIGTERM);
        raise(SIGTERM);
        exit(8);
    }
    if (IS("default with flags")) {
        struct sigaction old;
        sigemptyset(&set);
        sigaddset(&set, SIGUSR2);
        for (int i = 0; i < 2; i++) {
            struct sigaction none = {.sa_handler = SIG_DFL, .sa_flags = SA_RESTART | SA_NOCLDSTOP, .sa_mask = set};
            sigaction(i ? SIGPROF : SIGTERM, &none, 0);
            sigaction(i ? SIGPROF : SIGTERM, 0, &old);
            if (old.sa_handler != SIG_DFL || (old.sa_flags & none.sa_flags) != none.sa_flags)
                exit(100);
            if (!sigismember(&old.sa_mask, SIGUSR2) || sigismember(&old.sa_mask, SIGUSR1))
                exit(101);
        }
    }
    if (IS("siginterrupt"))
        for (int i = 1; i >= 0; i--) {
            struct sigaction old;
            interrupt_as_of_old(SIGTERM, i);
            signal(SIGTERM, handler);
            sigaction(SIGTERM, 0, &old);
            if (((old.sa_flags & SA_RESTART) == 0) != i)
                exit(100);
            interrupt_as_of_old(SIGTERM, !i);
            sigaction(SIGTERM, 0, &old);
            if (old.sa_handler != handler || ((old.sa_flags & SA_RESTART) == 0) == i)
                exit(101);
        }
    if (strncmp(how, "let in by ", 10) == 0) {
        struct timespec enough = {10, 0};
        struct epoll_event event;
        const char *call = how + 10;

        sigfillset(&set);
        sigprocmask(SIG_SETMASK, &set, 0);
        raise(SIGTERM);
        sigemptyset(&set);
        if (strcmp(call, "sigsuspend") == 0)
            sigsuspend(&set);
        if (strcmp(call, "ppoll") == 0)
            ppoll(0, 0, &enough, &set);
        if (strcmp(call, "pselect") == 0)
            pselect(0, 0, 0, 0, &enough, &set);
        if (strcmp(call, "epoll_pwait") == 0)
            epoll_pwait(epoll_create1(0), &event, 1, 10000, &set);
    }
    if (IS("abort, blocked")) {
        sigfillset(&set);
        sigprocmask(SIG_SETMASK, &set, 0);
        abort();
    }
    if (IS("null pointer"))
        *(volatile int *)(long)zero = 1;
    if (IS("read-only page"))
        *(volatile char *)mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) = 1;
    if (IS("division by zero"))
        zero = 100 / zero;
    if (IS("illegal instruction"))
        __builtin_trap();
    if (IS("jump to nowhere"))
        ((void (*)(void))(long)(zero + 16))();
    if (IS("stack overflow"))
        deeper(1 << 20);
    if (IS("stack overflow, own stack"))
        overflow((void *)&zero);
    if (IS("stack overflow in a thread")) {
        pthread_create(&thread, 0, overflow, 0);
        pthread_join(thread, 0);
    }
    if (IS("stack overflow in a thread, own stack")) {
        pthread_create(&thread, 0, overflow, (void *)&zero);
        pthread_join(thread, 0);
    }
    if (IS("past the end of a file")) {
        char *page = mmap(0, 4096, PROT_READ, MAP_SHARED, memfd_create("empty", 0), 0);
        zero = *(volatile char *)page;
    }
    if (IS("fault with the signal blocked")) {
        sigfillset(&set);
        sigprocmask(SIG_SETMASK, &set, 0);
        *(volatile int *)(long)zero = 1;
    }
    if (IS("handled")) {
        signal(SIGTERM, handler);
        raise(SIGTERM);
    }
    if (IS("handled once")) {
        struct sigaction old;
        sigaction(SIGTERM, &action, 0);
        sigaction(SIGTERM, 0, &old);
        if (old.sa_handler != once || !(old.sa_flags & (int)SA_RESETHAND) || old.sa_flags & SA_SIGINFO)
            exit(100);
        raise(SIGTERM);
        sigaction(SIGTERM, 0, &old);
        if (old.sa_handler != SIG_DFL)
            exit(101);
        raise(SIGTERM);
    }
    if (IS("handled once, fault")) {
        sigaction(SIGSEGV, &action, 0);
        *(volatile int *)(long)zero = 1;
    }
    if (IS("handled once, blocked")) {
        sigfillset(&action.sa_mask);
        sigaction(SIGINT, &action, 0);
        raise(SIGINT);
        raise(SIGINT);
    }
    if (IS("handled and again")) {
        signal(SIGINT, and_again);
        raise(SIGINT);
    }
    if (IS("ignored")) {
        signal(SIGTERM, SIG_IGN);
        raise(SIGTERM);
        exit(8);
    }
    if (IS("default again")) {
        void (*old)(int) = signal(SIGTERM, SIG_IGN);
        if (old != SIG_DFL)
            exit(100);
        if (signal(SIGTERM, SIG_DFL) != SIG_IGN)
            exit(101);
        raise(SIGTERM);
    }
    if (IS("closed pipe")) {
        int ends[2];
        if (pipe(ends) != 0)
            exit(100);
        close(ends[0]);
        if (write(ends[1], "x", 1) != 1)
            exit(101);
    }
    if (IS("alarm")) {
        ualarm(1000, 0);
        for (;;)
            pause();
    }
}

int main(int argc, char **argv)
{
    int i;

    for (i = 0; i < 21; i++)
        work();
    end(argc > 1 ? argv[1] : "");
    return 2;
}
