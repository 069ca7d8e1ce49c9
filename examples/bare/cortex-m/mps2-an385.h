/* MPS2 with AN385 (Cortex-M3). */
#define CLOCK 25000000

#define UART_DATA (*(volatile uint32_t *)0x40004000)
#define UART_STATE (*(volatile uint32_t *)0x40004004)
#define UART_CONTROL (*(volatile uint32_t *)0x40004008)
#define UART_DIVIDER (*(volatile uint32_t *)0x40004010)

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
