/* MPS2 with AN505 (Cortex-M33), in the secure state. */
#define CLOCK 20000000

#define UART_DATA (*(volatile uint32_t *)0x50200000)
#define UART_STATE (*(volatile uint32_t *)0x50200004)
#define UART_CONTROL (*(volatile uint32_t *)0x50200008)
#define UART_DIVIDER (*(volatile uint32_t *)0x50200010)

NOT_PROFILED static inline void uart_send(char c)
{
    if (UART_CONTROL == 0) {
        UART_DIVIDER = 16;
        UART_CONTROL = 1;
    }
    while (UART_STATE & 1)
        ;
    UART_DATA = c;
}
