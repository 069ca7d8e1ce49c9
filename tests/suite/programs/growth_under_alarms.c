/* Fresh threads meet many new arcs while alarms interrupt them to meet and count the same ones.
   Arguments: number of threads, rounds of each. */
/*# flags -pthread */
/*# arc worker -> interpret ? */
/*# arc on_alarm -> interpret ? */
/*# fanout interpret -> op_* 256 x ? */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

/* All of the interpreter but its main. */
#define main interpreter_main
#include "../../../examples/c/dispatch.c"
#undef main

static atomic_int alarms;
static unsigned char program[256];
static int rounds;

COUNTED void on_alarm(int signal)
{
    (void)signal;
    atomic_fetch_add(&alarms, 1);
    interpret(program, 256);
    BARRIER();
}

COUNTED void *worker(void *unused)
{
    sigset_t alarm;

    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &alarm, 0);
    for (int i = 0; i < rounds; i++)
        interpret(program, 256);
    pthread_sigmask(SIG_BLOCK, &alarm, 0);
    return unused;
}

int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 4;
    pthread_t thread[threads];
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    struct itimerval every = {{0, 100}, {0, 100}};
    sigset_t alarm;
    int i;

    rounds = argc > 2 ? atoi(argv[2]) : 10;
    for (i = 0; i < 256; i++)
        program[i] = (unsigned char)(i * 7);
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    sigprocmask(SIG_BLOCK, &alarm, 0);
    sigaction(SIGALRM, &action, 0);
    setitimer(ITIMER_REAL, &every, 0);
    for (i = 0; i < threads; i++)
        pthread_create(&thread[i], 0, worker, 0);
    for (i = 0; i < threads; i++)
        pthread_join(thread[i], 0);
    printf("worker -> interpret %d\n", threads * rounds);
    printf("on_alarm -> interpret %d\n", atomic_load(&alarms));
    printf("interpret -> op_* %d\n", threads * rounds + atomic_load(&alarms));
    return 0;
}
