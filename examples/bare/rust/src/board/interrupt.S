/* The entry of interrupts: everything that a function may change is saved. */

/* Stores or loads all that a function may change. */
        .macro  EACH integer, float
        \integer ra, 0(sp)
        .irp    n, 0, 1, 2, 3, 4, 5, 6
        \integer t\n, 8 + 8 * \n (sp)
        .endr
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7
        \integer a\n, 64 + 8 * \n (sp)
        \float fa\n, 128 + 8 * \n (sp)
        .endr
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        \float ft\n, 192 + 8 * \n (sp)
        .endr
        .endm

        .section .text.interrupt, "ax", %progbits
        .balign 4
        .globl  interrupt
        .type   interrupt, %function
interrupt:
        addi    sp, sp, -304
        EACH    sd, fsd
        csrr    a0, mepc
        call    timer_interrupt
        EACH    ld, fld
        addi    sp, sp, 304
        mret
        .size   interrupt, . - interrupt
