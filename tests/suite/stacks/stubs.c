/* Calls functions with hooks, in rounds: each calls some from where they were called before, and one from a new place.
 * Between two rounds the program needs some time for itself. On x86 it runs rounds instruction by instruction.
 * Usage: stubs MILLISECONDS rounds NUMBER    nothing else
 *        stubs MILLISECONDS trace            prints the instructions of a round: `at ADDRESS`
 *        stubs MILLISECONDS at ADDRESS...    has the sampler take a sample at an instruction, one in each round */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include "../robustness/places.h"

#define NOT_COUNTED __attribute__((no_instrument_function, noinline))
#define WARM 3

/* CPU time. */
NOT_COUNTED void burn(long milliseconds)
{
    clock_t end = clock() + milliseconds * (CLOCKS_PER_SEC / 1000);

    while (clock() < end)
        BARRIER();
}

/* A place to stop at. */
NOT_COUNTED void next_round(void)
{
    BARRIER();
}

COUNTED void leaf(void)
{
    BARRIER();
}

COUNTED void round_of(unsigned long place)
{
    leaf();
    from_place(place);
    BARRIER();
}

/* Where to take a sample in this round, once; or every instruction is to be noted. */
static unsigned long sample_at;
#define NOWHERE 1

/* The instructions of a round. */
static unsigned long traced[100000], length;

#if defined(__x86_64__) || defined(__i386__)

#ifdef __x86_64__
#define PC REG_RIP
#define STEP() __asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" ::: "memory", "cc")
#else
#define PC REG_EIP
#define STEP() __asm__ volatile("pushfl; orl $0x100, (%%esp); popfl" ::: "memory", "cc")
#endif
#define TRAP_FLAG 0x100

static volatile sig_atomic_t done;

/* The sampler's handler. */
static void (*sampler)(int, siginfo_t *, void *);

NOT_COUNTED static void on_trap(int signal, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    unsigned long pc = registers[PC];

    (void)signal;
    if (sample_at == 0 && length < sizeof traced / sizeof *traced)
        traced[length++] = pc;
    if (sample_at == pc) {
        sample_at = NOWHERE;
        sampler(SIGPROF, info, context);
    }
    if (done)
        registers[REG_EFL] &= ~TRAP_FLAG;
}

NOT_COUNTED static void step_through(unsigned long place)
{
    done = 0;
    if (sample_at != NOWHERE)
        STEP();
    round_of(place);
    done = 1;
    BARRIER();
}

NOT_COUNTED static void prepare(void)
{
    /* As the kernel has it; the C library's functions tell what the program would have without a profile. */
    struct {
        void (*handler)(int, siginfo_t *, void *);
        unsigned long flags, restorer, mask[2];
    } action = {0};
    struct sigaction trap = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO};

    syscall(SYS_rt_sigaction, SIGPROF, NULL, &action, 8);
    sampler = action.handler;
    sigaction(SIGTRAP, &trap, NULL);
}

#else

NOT_COUNTED static void step_through(unsigned long place)
{
    round_of(place);
    BARRIER();
}

NOT_COUNTED static void prepare(void)
{
}

#endif

int main(int argc, char **argv)
{
    long milliseconds = argc > 2 ? atol(argv[1]) : 1;
    int is_plain = argc == 4 && strcmp(argv[2], "rounds") == 0, i;
    int is_trace = argc == 3;
    int rounds = is_plain ? atoi(argv[3]) : is_trace ? WARM + 1 : WARM + argc - 3;

    prepare();
    for (i = 0; i < rounds; i++) {
        burn(milliseconds);
        next_round();
        if (is_plain || i < WARM)
            sample_at = NOWHERE;
        else
            sample_at = is_trace ? 0 : strtoul(argv[3 + i - WARM], NULL, 16);
        step_through(i);
    }
    for (i = 0; (unsigned long)i < length; i++)
        printf("at %lx\n", traced[i]);
    puts("done");
    return 0;
}
