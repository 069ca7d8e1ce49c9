/* Start code for Cortex-M, with V6-M's instructions, which all of them have: the vectors, variables, and then C.
 * Interrupts are functions of C; those that the program does not define end in `stop`.
 */

        .syntax unified
        .thumb

        .macro  VECTOR name
        .weak   \name
        .thumb_set \name, stop
        .word   \name
        .endm

        .section .vectors, "a", %progbits
        .word   __stack_end
        .word   reset
        VECTOR  nmi
        VECTOR  hard_fault
        .zero   4 * 7
        VECTOR  svcall
        .zero   4 * 2
        VECTOR  pendsv
        .word   timer_interrupt
        VECTOR  interrupt_0
        .rept   31
        .word   stop
        .endr

        .text
        .globl  reset
        .type   reset, %function
reset:
#ifdef __ARM_FP
        ldr     r0, =0xe000ed88         /* the floating point unit: on */
        ldr     r1, [r0]
        ldr     r2, =0xf << 20
        orrs    r1, r2
        str     r1, [r0]
        dsb
        isb
#endif
        ldr     r0, =__data_start
        ldr     r1, =__data_end
        ldr     r2, =__data_load
        b       2f
1:      ldm     r2!, {r3}
        stm     r0!, {r3}
2:      cmp     r0, r1
        blo     1b

        ldr     r0, =__bss_start
        ldr     r1, =__bss_end
        movs    r2, #0
        b       4f
3:      stm     r0!, {r2}
4:      cmp     r0, r1
        blo     3b

        /* newlib's files by semihosting, if the program has them */
        .weak   initialise_monitor_handles
        ldr     r0, =initialise_monitor_handles
        cmp     r0, #0
        beq     5f
        blx     r0
5:
        /* picolibc's variables of a thread */
        .weak   _set_tls
        ldr     r1, =_set_tls
        cmp     r1, #0
        beq     6f
        ldr     r0, =__tls_base
        blx     r1
6:      bl      main
        bl      power_off
        .size   reset, . - reset

        .type   stop, %function
stop:
        b       stop
        .size   stop, . - stop

/* The timer's interrupt: `timer_handler(pc)` with the address that it interrupted. The processor has put it 24 bytes
 * above the stack pointer that was in use, which bit 2 of lr tells.
 */
        .type   timer_interrupt, %function
timer_interrupt:
        mov     r0, lr
        lsls    r0, r0, #29
        bmi     1f
        mrs     r0, msp
        b       2f
1:      mrs     r0, psp
2:      ldr     r0, [r0, #24]
        ldr     r1, =timer_handler
        bx      r1
        .size   timer_interrupt, . - timer_interrupt
