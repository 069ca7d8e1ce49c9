/* Handles, blocks and waits for signals that samplers use, and says what came of them, while it and a worker use CPU
 * time. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef SIGSTKFLT
#define SPECIAL SIGSTKFLT
#else
#define SPECIAL SIGEMT
#endif

static volatile sig_atomic_t traps, specials;
static volatile double sink;

static void on_trap(int signal) {
    (void)signal;
    traps++;
}

static void on_special(int signal) {
    (void)signal;
    specials++;
}

__attribute__((noinline)) static void use(clockid_t clock, double seconds) {
    struct timespec start, now;
    clock_gettime(clock, &start);
    do {
        for (int n = 0; n < 20000; n++) sink = sink + n;
        clock_gettime(clock, &now);
    } while ((now.tv_sec - start.tv_sec) + (now.tv_nsec - start.tv_nsec) / 1e9 < seconds);
}

static void *work(void *argument) {
    use(CLOCK_THREAD_CPUTIME_ID, 0.3);
    return argument;
}

int main(void) {
    use(CLOCK_THREAD_CPUTIME_ID, 0.1);
    signal(SIGTRAP, on_trap);
    for (int i = 0; i < 3; i++) {
        raise(SIGTRAP);
        use(CLOCK_THREAD_CPUTIME_ID, 0.02);
    }
    printf("trap %d\n", (int)traps);
    signal(SPECIAL, on_special);
    for (int i = 0; i < 2; i++) {
        use(CLOCK_THREAD_CPUTIME_ID, 0.02);
        raise(SPECIAL);
    }
    printf("special %d\n", (int)specials);

    /* Who blocks SIGPROF in particular waits for it. */
    sigset_t wanted, all, old, pending;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGPROF);
    pthread_sigmask(SIG_BLOCK, &wanted, NULL);
    int waited = 0;
    for (int i = 0; i < 5; i++) {
        use(CLOCK_THREAD_CPUTIME_ID, 0.02);
        kill(getpid(), SIGPROF);
        siginfo_t info;
        struct timespec patience = {5, 0};
        if (sigtimedwait(&wanted, &info, &patience) == SIGPROF && info.si_code == SI_USER) waited++;
    }
    printf("waited %d\n", waited);

    /* Workers inherit that everything is blocked. */
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &old);
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    sigprocmask(SIG_SETMASK, NULL, &all);
    printf("%s SIGUSR1\n", sigismember(&all, SIGUSR1) ? "blocked" : "let through");
    kill(getpid(), SIGUSR1);
    use(CLOCK_THREAD_CPUTIME_ID, 0.05);
    sigpending(&pending);
    printf("%s SIGUSR1\n", sigismember(&pending, SIGUSR1) ? "pending" : "lost");
    signal(SIGUSR1, SIG_IGN);
    printf("wrong how %d\n", pthread_sigmask(12345, &all, NULL));
    pthread_join(thread, NULL);
    printf("worker done\n");
    return 0;
}
