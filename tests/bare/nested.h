/* What nested.c asks of RISC-V: a software interrupt, for which the timer's handler makes way. */
#include <stdint.h>

#define SOFTWARE_INTERRUPT (*(volatile uint32_t *)0x02000000)

void interrupt_0(void);

__attribute__((interrupt("machine"), aligned(4))) NOT_PROFILED static void software_interrupt(void)
{
    SOFTWARE_INTERRUPT = 0;
    interrupt_0();
}

NOT_PROFILED static inline void allow_nesting(void) {}

/* Lets `interrupt_0` interrupt the handler that calls this. That keeps what an interrupt writes over, and closes the
   door to its own. */
NOT_PROFILED static inline void interrupt_handler(void)
{
    unsigned long pc, status, entry, enabled;
    __asm__ volatile("csrr %0, mepc" : "=r"(pc));
    __asm__ volatile("csrr %0, mstatus" : "=r"(status));
    __asm__ volatile("csrrw %0, mtvec, %1" : "=r"(entry) : "r"(software_interrupt));
    __asm__ volatile("csrrw %0, mie, %1" : "=r"(enabled) : "r"(1 << 3));
    SOFTWARE_INTERRUPT = 1;
    __asm__ volatile("csrsi mstatus, 1 << 3" ::: "memory");
    while (SOFTWARE_INTERRUPT)
        ;
    __asm__ volatile("csrci mstatus, 1 << 3" ::: "memory");
    __asm__ volatile("csrw mie, %0" ::"r"(enabled));
    __asm__ volatile("csrw mtvec, %0" ::"r"(entry));
    __asm__ volatile("csrw mstatus, %0" ::"r"(status));
    __asm__ volatile("csrw mepc, %0" ::"r"(pc));
}
