/* A program without a C library: nothing is linked but the runtime, no thread-local storage is ever
   set up. Threads that share all memory, made by bare system calls, count in one table. */
#include "counted.h"

extern void _mcleanup(void);

#define THREADS 4
#define ROUNDS 20000
#define STACK 65536

static char stacks[THREADS][STACK] __attribute__((aligned(16)));
static int running = THREADS;

__attribute__((no_instrument_function)) static long call(long number, long a, long b)
{
    long result;

    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b)
                     : "rcx", "r11", "memory");
    return result;
}

COUNTED void leaf(void)
{
    BARRIER();
}

COUNTED void work(void)
{
    leaf();
    leaf();
    BARRIER();
}

__attribute__((used)) void thread(void)
{
    for (int i = 0; i < ROUNDS; i++)
        work();
    __atomic_fetch_sub(&running, 1, __ATOMIC_SEQ_CST);
    call(60, 0, 0); /* exit */
}

/* clone(flags, stack): the new thread returns into thread. */
void start_thread(long flags, void **stack);
__asm__("start_thread:\n"
        "movl $56, %eax\n"
        "syscall\n"
        "ret\n");

__attribute__((used)) void begin(void)
{
    const long flags = 0x10f00; /* memory, file system, files, signal handlers; a thread */

    for (int i = 0; i < THREADS; i++) {
        void **top = (void **)(stacks[i] + STACK - 64);

        *top = (void *)thread;
        start_thread(flags, top);
    }
    while (__atomic_load_n(&running, __ATOMIC_SEQ_CST) > 0)
        call(24, 0, 0); /* sched_yield */
    _mcleanup();
    call(231, 7, 0); /* exit_group */
}

__asm__(".globl _start\n"
        "_start: xor %ebp, %ebp\n"
        "and $-16, %rsp\n"
        "call begin\n"
        "hlt\n");
