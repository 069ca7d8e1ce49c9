/* The entry of interrupts: everything that a function may change is saved. */

        .section .text.interrupt, "ax", %progbits
        .balign 4
        .globl  interrupt
        .type   interrupt, %function
interrupt:
        addi    sp, sp, -304
        sd      ra, 0(sp)
        .irp    n, 0, 1, 2, 3, 4, 5, 6
        sd      t\n, 8 + 8 * \n (sp)
        .endr
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7
        sd      a\n, 64 + 8 * \n (sp)
        fsd     fa\n, 128 + 8 * \n (sp)
        .endr
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        fsd     ft\n, 192 + 8 * \n (sp)
        .endr
        csrr    a0, mepc
        call    timer_interrupt
        ld      ra, 0(sp)
        .irp    n, 0, 1, 2, 3, 4, 5, 6
        ld      t\n, 8 + 8 * \n (sp)
        .endr
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7
        ld      a\n, 64 + 8 * \n (sp)
        fld     fa\n, 128 + 8 * \n (sp)
        .endr
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        fld     ft\n, 192 + 8 * \n (sp)
        .endr
        addi    sp, sp, 304
        mret
        .size   interrupt, . - interrupt
