/* What nested.c asks of a Cortex-M: an interrupt of higher priority than SysTick's. */
#include <stdint.h>

#define SYSTEM_PRIORITIES (*(volatile uint32_t *)0xe000ed20)
#define ENABLE (*(volatile uint32_t *)0xe000e100)
#define PEND (*(volatile uint32_t *)0xe000e200)
#define PRIORITIES (*(volatile uint32_t *)0xe000e400)

NOT_PROFILED static inline void allow_nesting(void)
{
    SYSTEM_PRIORITIES = 0xc0000000;
    PRIORITIES = 0x40;
    ENABLE = 1;
}

/* Lets `interrupt_0` interrupt the handler that calls this. */
NOT_PROFILED static inline void interrupt_handler(void)
{
    PEND = 1;
    __asm__ volatile("dsb\n isb");
}
