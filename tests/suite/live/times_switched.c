/* N threads call functions, until the standard input ends, whose times somebody switches on and off meanwhile. Each says in a
   file, `own`, for each function how often it was called and how long its longest call took, in nanoseconds, measured around the
   call. What ends in another way than by a return is not measured. Between calls some threads wait: a call that nobody
   saw end would seem to take as long as that. */
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#ifdef __clang__
#define TIMED __attribute__((noinline))
#else
#define TIMED __attribute__((noipa))
#endif

/* Goes to the start of `loops`, with another argument. */
#ifdef __aarch64__
#define AGAIN(n) \
    register int next __asm__("w0") = n; \
    __asm__ volatile("b loops" : : "r"(next) : "memory")
#else
#define AGAIN(n) __asm__ volatile("jmp loops" : : "D"(n) : "memory")
#endif

struct own {
    struct { uint64_t calls, longest; } of[8];
};

enum { QUICK, LONG, LOOPS, LEAVES, LEADS, LAST };

static volatile int has_ended;
static volatile uint64_t sink;

static uint64_t now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * UINT64_C(1000000000) + time.tv_nsec;
}

static void pass(long us)
{
    struct timespec time = { 0, us * 1000 };

    nanosleep(&time, 0);
}

TIMED void quick(int n) { sink = n; }
TIMED void is_long(int n) { pass(n); sink = n; }

/* Ends by jumping to its own start, of which compilers would make a loop. It has no frame. */
TIMED void loops(int n)
{
    sink = n;
    if (n > 0) {
        AGAIN(n - 1);
        __builtin_unreachable();
    }
}

TIMED void leaves(jmp_buf *place, int n)
{
    pass(n % 100);
    if (n % 2)
        longjmp(*place, 1);
    sink = n;
}

TIMED void last(int n) { pass(n % 100); sink = n; }
TIMED void leads(int n) { sink = n; if (n % 2) last(n); else sink = n + 1; }

static void took(struct own *own, int what, uint64_t begun)
{
    uint64_t ns = now() - begun;

    if (own->of[what].longest < ns)
        own->of[what].longest = ns;
}

#define MEASURE(what, call) (own->of[what].calls++, begun = now(), call, took(own, what, begun))

static void *spins(void *data)
{
    struct own *own = data;
    uint64_t begun;

    for (int n = 0; !has_ended; n++) {
        MEASURE(QUICK, quick(n));
        own->of[LOOPS].calls += n % 8;
        MEASURE(LOOPS, loops(n % 8));
    }
    return 0;
}

static void may_leave(struct own *own, int n)
{
    jmp_buf place;
    const uint64_t begun = now();

    own->of[LEAVES].calls++;
    if (setjmp(place) == 0) {
        leaves(&place, n);
        took(own, LEAVES, begun);
    }
}

static void *waits(void *data)
{
    struct own *own = data;
    /* The calls below have their return addresses at one place, whichever it is. */
    void (*volatile calls[])(int) = { is_long, leads, last };
    const int numbers[] = { LONG, LEADS, LAST };
    unsigned random = (unsigned)(uintptr_t)data / sizeof *own + 1;

    while (!has_ended) {
        uint64_t begun;
        unsigned which, n;

        random = random * 1103515245 + 12345;
        which = random >> 16 & 3, n = random >> 20 & 511;
        if (which < 3) {
            own->of[numbers[which]].calls++;
            if (which == 1 && n % 2)
                own->of[LAST].calls++;
            begun = now();
            calls[which](n);
            took(own, numbers[which], begun);
            if (which == 1 && n % 2)
                took(own, LAST, begun);
        } else {
            may_leave(own, n);
        }
        pass(n % 4 ? n : 10 * n);
    }
    return 0;
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 0, file = open("own", O_CREAT | O_RDWR | O_TRUNC, 0600), i;
    pthread_t threads[16];
    struct own *own;
    char byte;

    if (file < 0 || ftruncate(file, 4096) != 0 || count > 16)
        abort();
    own = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    for (i = 0; i < count; i++)
        if (pthread_create(&threads[i], 0, i % 4 ? waits : spins, &own[i]) != 0)
            abort();
    puts("ready");
    fflush(stdout);
    while (read(0, &byte, 1) > 0)
        ;
    has_ended = 1;
    for (i = 0; i < count; i++)
        pthread_join(threads[i], 0);
    return 0;
}
