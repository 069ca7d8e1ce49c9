/* One signal at every single instruction of a hook in turn, or at every STRIDE-th, whose handler runs hooked code itself.
   Usage: every_instruction HOOK [STRIDE], where HOOK is
     thread   the first call of a thread
     growth   the call for which a child's table is too small
     fork     the first call of a child
   Each time the program steps through the hook, the handler acts STRIDE instructions later than the time
   before. Prints how many signals there were in all, and `child PID` for each child in which the
   handler acted. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>
#include "places.h"

#define NOT_COUNTED __attribute__((no_instrument_function, noinline))
#define TRAP_FLAG 0x100

/* Places from which to call `rare` to fill a first table, together with the call of `from_place`. */
#define FULL 255

static volatile sig_atomic_t done;

/* Signals of this round so far, and the one at which the handler acts. */
static unsigned long *traps, act_at;

COUNTED void work(void)
{
    BARRIER();
}

COUNTED void act(void)
{
    work();
    from_place(1000);
    BARRIER();
}

NOT_COUNTED static void on_trap(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)info;
    if ((*traps)++ == act_at)
        act();
    if (done || *traps > act_at)
        ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}

COUNTED void interrupted(void)
{
    done = 1;
}

NOT_COUNTED static void *step(void *unused)
{
    (void)unused;
    /* From now on there is a SIGTRAP after each instruction. */
    __asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" ::: "memory", "cc");
    interrupted();
    BARRIER();
    return 0;
}

NOT_COUNTED static void in_thread(void)
{
    pthread_t thread;

    pthread_create(&thread, 0, step, 0);
    pthread_join(thread, 0);
}

NOT_COUNTED static void in_child(pid_t pid, int places)
{
    int status = -1, i;

    if (pid == 0) {
        for (i = 0; i < places; i++)
            from_place(i);
        step(0);
        _exit(0);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
        exit(1);
    if (*traps > act_at)
        printf("child %d\n", (int)pid);
}

int main(int argc, char **argv)
{
    struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO};
    const char *how = argc > 1 ? argv[1] : "";
    unsigned long rounds = 1, stride = argc > 2 ? strtoul(argv[2], 0, 10) : 1;

    traps = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    sigaction(SIGTRAP, &action, 0);
    for (;; act_at += stride, rounds++) {
        *traps = 0;
        done = 0;
        fflush(stdout);
        if (strcmp(how, "thread") == 0)
            in_thread();
        if (strcmp(how, "growth") == 0)
            in_child(fork(), FULL);
        if (strcmp(how, "fork") == 0)
            in_child(fork(), 0);
        /* The hook had fewer instructions. */
        if (*traps <= act_at)
            break;
    }
    printf("rounds %lu\n", rounds);
    return 0;
}
