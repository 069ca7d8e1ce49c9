/* A coroutine that two threads resume, each twice before the other does. Its calls are all from one place, with the same in all registers,
   and wait there from one turn to the next. Prints "done". */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <ucontext.h>

#define TIMED __attribute__((noipa))
enum { TURNS = 100, SIZE = 64 << 10 };

static ucontext_t here, there;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;

TIMED void waits(void)
{
    struct timespec time = { 0, 100000 };

    nanosleep(&time, 0);
    swapcontext(&there, &here);
    __asm__ volatile("");
}

static void run(void)
{
    for (;;)
        waits();
}

static void *resumes(void *which)
{
    pthread_mutex_lock(&lock);
    while (turn < TURNS)
        if ((turn / 2 % 2 == 1) == (which != 0)) {
            swapcontext(&here, &there);
            turn++;
            pthread_cond_signal(&changed);
        } else {
            pthread_cond_wait(&changed, &lock);
        }
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t other;

    getcontext(&there);
    there.uc_stack.ss_sp = malloc(SIZE);
    there.uc_stack.ss_size = SIZE;
    makecontext(&there, run, 0);
    if (pthread_create(&other, 0, resumes, &turn) != 0)
        return 1;
    resumes(0);
    pthread_join(other, 0);
    puts("done");
    return 0;
}
