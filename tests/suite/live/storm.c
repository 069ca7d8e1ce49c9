/* Four threads call functions of their own as fast as they can, from thousands of places, while a
   timer's handler, and threads that come and go, call others. Each function writes down in the file
   of the first argument how often it was called: what a profile must say, but for the calls that are
   just being counted. Runs until it is killed. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>
#include "counted.h"

static unsigned long *calls;

#define FUNCTION(name, index)                                                                  \
    COUNTED void name(void)                                                                    \
    {                                                                                          \
        __atomic_fetch_add(&calls[index], 1, __ATOMIC_RELAXED);                                \
    }

FUNCTION(first, 0)
FUNCTION(second, 1)
FUNCTION(third, 2)
FUNCTION(fourth, 3)
FUNCTION(handled, 4)
FUNCTION(brief, 5)

#define TEN(x) x x x x x x x x x x

/* A thread that calls one function from `places` places, many of them for the first time. */
#define THREAD(name, function, places)                                                         \
    COUNTED void *name(void *unused)                                                           \
    {                                                                                          \
        for (;;) {                                                                             \
            places(function(); BARRIER();)                                                     \
        }                                                                                      \
        return unused;                                                                         \
    }

#define ONE(x) x
#define HUNDRED(x) TEN(TEN(x))
#define THOUSAND(x) TEN(TEN(TEN(x)))
#define THREE_THOUSAND(x) THOUSAND(x) THOUSAND(x) THOUSAND(x)

THREAD(call_first, first, ONE)
THREAD(call_second, second, HUNDRED)
THREAD(call_third, third, THOUSAND)
THREAD(call_fourth, fourth, THREE_THOUSAND)

COUNTED void *call_brief(void *unused)
{
    TEN(brief();)
    return unused;
}

COUNTED void on_alarm(int signal)
{
    handled();
    BARRIER();
    (void)signal;
}

int main(int argc, char **argv)
{
    void *(*const threads[])(void *) = {call_first, call_second, call_third, call_fourth};
    struct itimerval timer = {{0, 1000}, {0, 1000}};
    int i, file = open(argv[argc - 1], O_RDWR | O_CREAT | O_EXCL, 0666);
    pthread_t thread;

    if (file < 0 || ftruncate(file, 4096) != 0)
        abort();
    calls = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (calls == MAP_FAILED)
        abort();
    for (i = 0; i < 4; i++)
        pthread_create(&thread, 0, threads[i], 0);
    signal(SIGALRM, on_alarm);
    setitimer(ITIMER_REAL, &timer, 0);
    for (;;) {
        if (pthread_create(&thread, 0, call_brief, 0) == 0)
            pthread_join(thread, 0);
    }
}
