/* Work that is called in every way there is. Each function below main spends its time in `work`, by a way of its own;
 * `leaf` and `tiny` spend it themselves. The arguments
 * are how much work there is, and how deep `tiny` calls itself. */

#include <alloca.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline, noclone))

static volatile unsigned sum;
static unsigned unit;

NOINLINE void work(unsigned times)
{
    for (unsigned i = 0; i < times * unit; i++)
        sum += i;
}

NOINLINE void leaf(unsigned times)
{
    for (unsigned i = 0; i < times; i++)
        sum ^= i;
}

/* The first walks take long, and then the profiler pauses for up to 50 times as long. An emulator translates the code of
 * walks when it runs first, and again once the program has a thread. */
NOINLINE void warm_up(unsigned times)
{
    for (unsigned i = 0; i < times; i++)
        sum ^= i;
}

/* Calls, prologues and epilogues, and nothing else. */
NOINLINE unsigned tiny(unsigned n)
{
    return n < 2 ? n : tiny(n - 1) + tiny(n - 2) + sum;
}

NOINLINE void cheap(void)
{
    for (int i = 0; i < 100; i++)
        work(0);
    sum += 1;
}

NOINLINE void dear(void)
{
    for (int i = 0; i < 100; i++)
        work(1);
    sum += 1;
}

NOINLINE void recurse(int depth)
{
    if (depth > 0)
        recurse(depth - 1);
    else
        work(100);
    sum += 1;
}

static void (*volatile pointer)(unsigned) = work;

NOINLINE void through_pointer(void)
{
    pointer(100);
    sum += 1;
}

NOINLINE void with_array(unsigned len)
{
    volatile char *array = alloca(len);
    array[len / 2] = 1;
    work(100);
    sum += array[len / 2];
}

NOINLINE void with_large_frame(void)
{
    volatile char array[100000];
    array[50000] = 1;
    work(100);
    sum += array[50000];
}

NOINLINE int compare(const void *a, const void *b)
{
    work(1);
    return *(const int *)a - *(const int *)b;
}

NOINLINE void sort(void)
{
    int numbers[32];
    for (int i = 0; i < 32; i++)
        numbers[i] = i * 7 % 32;
    qsort(numbers, 32, sizeof *numbers, compare);
    sum += 1;
}

static void handler(int number)
{
    work(100);
    sum += number;
}

static void handler_with_info(int number, siginfo_t *info, void *context)
{
    work(100);
    sum += number + (info && context);
}

NOINLINE void signalled(void)
{
    raise(SIGUSR1);
    sum += 1;
}

NOINLINE void signalled_elsewhere(void)
{
    raise(SIGUSR2);
    sum += 1;
}

static void *warm_up_thread(void *nothing)
{
    warm_up(unit * 100);
    return nothing;
}

static void *thread(void *nothing)
{
    work(100);
    sum += 1;
    return nothing;
}

int main(int argc, char **argv)
{
    unit = argc > 1 ? atoi(argv[1]) : 1000;
    static char stack[64 * 1024];
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&alternate, NULL);
    struct sigaction action = {.sa_handler = handler};
    sigaction(SIGUSR1, &action, NULL);
    action.sa_sigaction = handler_with_info;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGUSR2, &action, NULL);
    pthread_t id;
    pthread_create(&id, NULL, warm_up_thread, NULL);
    pthread_join(id, NULL);
    warm_up(unit * 500);
    pthread_create(&id, NULL, thread, NULL);
    pthread_join(id, NULL);
    cheap();
    dear();
    recurse(50);
    through_pointer();
    with_array(unit % 7 * 16 + 100);
    with_large_frame();
    sort();
    signalled();
    signalled_elsewhere();
    leaf(unit * 200);
    tiny(argc > 2 ? atoi(argv[2]) : 10);
    puts("done");
    return 0;
}
