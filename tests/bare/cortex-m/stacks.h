/* What stacks.c asks of a Cortex-M: SysTick asks for PendSV, which exchanges the registers. */
#define CONTROL_AND_STATE (*(volatile uint32_t *)0xe000ed04)
#define PEND_SWITCH (1u << 28)
#define SYSTEM_PRIORITIES (*(volatile uint32_t *)0xe000ed20)

static uint32_t handlers_stack[256] __attribute__((aligned(8)));

void timer_tick(void)
{
    CONTROL_AND_STATE = PEND_SWITCH;
}

/* What the processor has not saved itself, by V6-M's instructions: r4 to r11 and how to return. */
__attribute__((naked)) NOT_PROFILED void pendsv(void)
{
    __asm__(".syntax unified\n"
            "mrs    r0, psp\n"
            "subs   r0, #36\n"
            "stm    r0!, {r4-r7}\n"
            "mov    r4, r8\n"
            "mov    r5, r9\n"
            "mov    r6, r10\n"
            "mov    r7, r11\n"
            "stm    r0!, {r4-r7}\n"
            "mov    r3, lr\n"
            "str    r3, [r0]\n"
            "subs   r0, #32\n"
            "bl     other_stack\n"
            "adds   r0, #16\n"
            "ldm    r0!, {r4-r7}\n"
            "mov    r8, r4\n"
            "mov    r9, r5\n"
            "mov    r10, r6\n"
            "mov    r11, r7\n"
            "ldm    r0!, {r3}\n"
            "msr    psp, r0\n"
            "subs   r0, #36\n"
            "ldm    r0!, {r4-r7}\n"
            "bx     r3\n");
}

/* The program becomes the first task, with the process stack; interrupts get a stack of theirs. */
static NOT_PROFILED __attribute__((always_inline)) inline void begin_tasks(void)
{
    SYSTEM_PRIORITIES = 0xc0c00000;
    uint32_t *stack = second_stack + sizeof second_stack / sizeof *second_stack;
    *--stack = 0x01000000; /* xPSR: Thumb code */
    *--stack = (uintptr_t)second_task & ~1u;
    stack -= 6;
    *--stack = 0xfffffffd; /* to a task, by the process stack */
    waiting = stack - 8;
    __asm__ volatile("mov   r0, sp\n"
                     "msr   psp, r0\n"
                     "movs  r0, #2\n"
                     "msr   control, r0\n"
                     "isb\n"
                     "msr   msp, %0\n"
                     :
                     : "r"(handlers_stack + sizeof handlers_stack / sizeof *handlers_stack)
                     : "r0", "memory");
}
