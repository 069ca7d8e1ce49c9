/* Calls that end in all the ways in which calls end, and calls of known length. Argument: what is to be done. What it measures itself
   it writes to the file `own`, in nanoseconds. Prints "done" at the end. */
#include <algorithm>
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef __clang__
#define TIMED extern "C" __attribute__((noinline))
#else
#define TIMED extern "C" __attribute__((noipa))
#endif

static int64_t now()
{
    timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

TIMED void spin(int64_t ns)
{
    for (int64_t end = now() + ns; now() < end;)
        ;
}

/* clang calls no function that does nothing. */
TIMED int leaf(int n) { asm volatile(""); return n + 1; }
TIMED int tail(int n) { asm volatile(""); return n % 2 ? n : leaf(n); }
TIMED int nested(int n) { return n == 0 ? 0 : nested(n - 1) + leaf(n); }

/* Exceptions that leave five frames. */
TIMED void five(int n) { if (n % 2) throw n; }
TIMED void four(int n) { five(n); asm volatile(""); }
TIMED void three(int n) { four(n); asm volatile(""); }
TIMED void two(int n) { three(n); asm volatile(""); }
TIMED void one(int n) { two(n); asm volatile(""); }

static sigjmp_buf place;
TIMED void jumps(int n) { if (n % 2) siglongjmp(place, 1); asm volatile(""); }
TIMED void jumps_from(int n) { jumps(n); asm volatile(""); }
TIMED void handler(int signal) { if (signal) siglongjmp(place, 1); }

static ucontext_t here, there;
TIMED void step(int n) { asm volatile("" : : "r"(n)); swapcontext(&there, &here); asm volatile(""); }
static void coroutine()
{
    for (int n = 0;; n++)
        step(n);
}

static volatile int depth;
TIMED void descends(int n)
{
    depth = n;
    if (n > 0)
        descends(n - 1);
    depth = n;
}
TIMED void *cancelled(void *)
{
    for (;;)
        pause();
}
static void *works(void *)
{
    for (int n = 0; n < 100; n++)
        leaf(n), nested(3);
    return nullptr;
}
TIMED int forks(int n)
{
    pid_t child = fork();

    if (child == 0) {
        leaf(n);
        _exit(0);
    }
    waitpid(child, nullptr, 0);
    return leaf(n) + 1;
}
TIMED int vforks(int n)
{
    if (vfork() == 0)
        _exit(0);
    return leaf(n) + 1;
}

static void all()
{
    static char stack[64 << 10];

    for (int n = 0; n < 1000; n++)
        tail(n);
    for (int n = 0; n < 100; n++)
        nested(5);
    for (volatile int n = 0; n < 100; n = n + 1) {
        try {
            one(n);
        } catch (int) {
        }
        if (sigsetjmp(place, 1) == 0)
            jumps_from(n);
    }
    signal(SIGUSR1, handler);
    for (volatile int n = 0; n < 100; n = n + 1)
        if (sigsetjmp(place, 1) == 0)
            raise(SIGUSR1);
    getcontext(&there);
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = sizeof stack;
    makecontext(&there, coroutine, 0);
    for (int n = 0; n < 100; n++) {
        swapcontext(&here, &there);
        nested(4);
    }
    for (int n = 0; n < 8; n++) {
        pthread_t thread;
        bool is_cancelled = n % 2;

        pthread_create(&thread, nullptr, is_cancelled ? cancelled : works, nullptr);
        if (is_cancelled)
            pthread_cancel(thread);
        pthread_join(thread, nullptr);
    }
    for (int n = 0; n < 10; n++)
        forks(n), vforks(n);
    for (int n = 0; n < 1000; n++)
        leaf(n);
}

int main(int, char **words)
{
    if (std::strcmp(words[1], "all") == 0) {
        all();
    } else {
        int64_t own[1000];

        for (int n = 0; n < 1000; n++) {
            int64_t begun = now();
            spin(n < 500 ? 20000 + 10 * n : n < 900 ? 60000 : n < 990 ? 150000 : 1000000);
            own[n] = now() - begun;
        }
        std::FILE *file = std::fopen("own", "w");
        std::fwrite(own, sizeof own, 1, file);
        std::fclose(file);
        for (int n = 0; n < 3000000; n++)
            leaf(n);
        for (int n = 0; n < 300; n++)
            descends(999);
    }
    std::puts("done");
}
