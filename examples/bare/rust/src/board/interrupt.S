/* The entry of interrupts: everything that a function may change is saved. EACH_SAVED and EACH_RESTORED are the machine's EACH. */

/* Stores or loads all that a function may change, floating point registers if there is an instruction for them. */
        .macro  EACH size, integer, float
        \integer ra, 0(sp)
        .irp    n, 0, 1, 2, 3, 4, 5, 6
        \integer t\n, \size + \size * \n (sp)
        .endr
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7
        \integer a\n, 8 * \size + \size * \n (sp)
        .ifnb   \float
        \float fa\n, 16 * \size + \size * \n (sp)
        .endif
        .endr
        .ifnb   \float
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        \float ft\n, 24 * \size + \size * \n (sp)
        .endr
        .endif
        .endm

        .section .text.interrupt, "ax", %progbits
        .balign 4
        .globl  interrupt
        .type   interrupt, %function
interrupt:
        addi    sp, sp, -304
        EACH_SAVED
        csrr    a0, mepc
        call    timer_interrupt
        EACH_RESTORED
        addi    sp, sp, 304
        mret
        .size   interrupt, . - interrupt
