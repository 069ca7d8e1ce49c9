/* What stacks.c asks of RISC-V: the timer's interrupt exchanges all registers. They lie on the stack of their task, each at
   its number; in place of zero, which needs none, where the task goes on. */
#define TIME_COMPARE (*(volatile uint64_t *)0x02004000)
#define TIME_PER_SECOND 10000000

#define FRAME 32

#if __riscv_xlen == 64
#define STORE "sd"
#define LOAD "ld"
#define WORD "8"
#else
#define STORE "sw"
#define LOAD "lw"
#define WORD "4"
#endif

/* All but zero and the stack pointer. */
#define EACH(instruction)                                                                               \
    ".irp n, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, " \
    "28, 29, 30, 31\n" instruction " x\\n, \\n * " WORD "(sp)\n.endr\n"

void timer_tick(void) {}

/* Called by switch_tasks, in the interrupt. */
NOT_PROFILED uintptr_t *next_task(uintptr_t *stack)
{
    TIME_COMPARE += TIME_PER_SECOND / SWITCHES_PER_SECOND;
    return other_stack(stack);
}

__attribute__((naked, aligned(4))) NOT_PROFILED void switch_tasks(void)
{
    __asm__("addi   sp, sp, -32 * " WORD "\n"
            EACH(STORE)
            "csrr   t0, mepc\n"
            STORE " t0, 0(sp)\n"
            "mv     a0, sp\n"
            "call   next_task\n"
            "mv     sp, a0\n"
            LOAD "  t0, 0(sp)\n"
            "csrw   mepc, t0\n"
            EACH(LOAD)
            "addi   sp, sp, 32 * " WORD "\n"
            "mret\n");
}

/* The program becomes the first task. */
static NOT_PROFILED __attribute__((always_inline)) inline void begin_tasks(void)
{
    uintptr_t *stack = second_stack + sizeof second_stack / sizeof *second_stack - FRAME;
    uintptr_t global_pointer;
    __asm__ volatile("mv %0, gp" : "=r"(global_pointer));
    stack[0] = (uintptr_t)second_task;
    stack[3] = global_pointer;
    waiting = stack;
    __asm__ volatile("csrw mtvec, %0" ::"r"(switch_tasks));
}
