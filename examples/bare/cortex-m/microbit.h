/* The BBC micro:bit (Cortex-M0), as qemu has it: with SysTick, which the real one's nRF51 lacks. */
#define CLOCK 16000000

#define UART_START (*(volatile uint32_t *)0x40002008)
#define UART_READY (*(volatile uint32_t *)0x4000211c)
#define UART_ENABLE (*(volatile uint32_t *)0x40002500)
#define UART_DATA (*(volatile uint32_t *)0x4000251c)

NOT_PROFILED static inline void uart_send(char c)
{
    if (UART_ENABLE == 0) {
        UART_ENABLE = 4;
        UART_START = 1;
    }
    UART_READY = 0;
    UART_DATA = c;
    while (UART_READY == 0)
        ;
}
