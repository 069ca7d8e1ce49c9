/* Start code for RISC-V in machine mode: a stack for every hart, variables for the first, and then C. The others
 * go to `other_hart`, which waits for ever unless the program defines it.
 */

        .equ    STACK, 16384
        .equ    FLOATING_POINT, 1 << 13

        .section .text.start, "ax", %progbits
        .globl  _start
_start:
        .option push
        .option norelax
        la      gp, __global_pointer$
        .option pop
        li      t0, FLOATING_POINT
        csrs    mstatus, t0
        la      t0, interrupt
        csrw    mtvec, t0
        /* picolibc's errno */
        la      tp, __tls_base

        /* hart n: the n-th stack from above */
        csrr    a0, mhartid
        la      sp, __stacks_end
        li      t0, STACK
        mul     t0, t0, a0
        sub     sp, sp, t0
        bnez    a0, 2f

        la      t0, __bss_start
        la      t1, __bss_end
1:      bgeu    t0, t1, 3f
        sw      zero, 0(t0)
        addi    t0, t0, 4
        j       1b
3:      call    main
        call    power_off

2:      tail    other_hart

        .weak   other_hart
other_hart:
        wfi
        j       other_hart
