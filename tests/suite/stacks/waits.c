/* A thread for each way to wait, and one that computes: for as many milliseconds as the first argument says. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static long milliseconds;
static int ends[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned long sum;
static int interruptions;

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

/* As often as it takes: a signal may end a sleep. */
__attribute__((noinline)) void doze(void) {
    struct timespec left = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    while (nanosleep(&left, &left) != 0 && errno == EINTR) __atomic_fetch_add(&interruptions, 1, __ATOMIC_RELAXED);
    sum++;
}

__attribute__((noinline)) void receive(void) {
    char byte;
    if (read(ends[0], &byte, 1) != 1) abort();
    sum++;
}

__attribute__((noinline)) void await_turn(void) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    sum++;
}

__attribute__((noinline)) void compute(void) {
    double end = now(CLOCK_MONOTONIC) + milliseconds / 1e3;
    while (now(CLOCK_MONOTONIC) < end) {
        for (int i = 0; i < 10000; i++) sum += i;
    }
    sum++;
}

/* Whatever comes is for this thread: nothing but what it waits for may. */
__attribute__((noinline)) void await_signal(void) {
    sigset_t all;
    int signal = 0;
    sigfillset(&all);
    sigwait(&all, &signal);
    if (signal != SIGUSR1) printf("signal %d\n", signal);
    sum++;
}

/* A third of its time it runs, between sleeps. */
__attribute__((noinline)) void spin(double seconds) {
    double end = now(CLOCK_THREAD_CPUTIME_ID) + seconds;
    while (now(CLOCK_THREAD_CPUTIME_ID) < end) {
        for (int i = 0; i < 1000; i++) sum += i;
    }
    sum++;
}

__attribute__((noinline)) void alternate(void) {
    double end = now(CLOCK_MONOTONIC) + milliseconds / 1e3;
    while (now(CLOCK_MONOTONIC) < end) {
        spin(0.005);
        usleep(10000);
    }
    sum++;
}

static void *sleeper(void *unused) { doze(); return unused; }
static void *reader(void *unused) { receive(); return unused; }
static void *locker(void *unused) { await_turn(); return unused; }
static void *waiter(void *unused) { await_signal(); return unused; }
static void *worker(void *unused) { compute(); return unused; }
static void *both(void *unused) { alternate(); return unused; }

int main(int argc, char **argv) {
    static const struct {
        void *(*start)(void *);
        const char *name;
    } list[] = {{sleeper, "sleeper"}, {reader, "reader"}, {locker, "locker"},
                {waiter, "waiter"},   {worker, "worker"}, {both, "both"}};
    pthread_t threads[6];
    sigset_t usr1;
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &usr1, NULL);
    milliseconds = argc > 1 ? atol(argv[1]) : 1000;
    if (pipe(ends) != 0) return 1;
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < 6; i++) {
        pthread_create(&threads[i], NULL, list[i].start, NULL);
        pthread_setname_np(threads[i], list[i].name);
    }
    doze();
    if (write(ends[1], "x", 1) != 1) return 1;
    pthread_mutex_unlock(&mutex);
    pthread_kill(threads[3], SIGUSR1);
    for (int i = 0; i < 6; i++) pthread_join(threads[i], NULL);
    if (interruptions > 0) printf("%d interruptions\n", interruptions);
    puts("done");
    return 0;
}
