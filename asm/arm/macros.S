/* What the other files are made of on 32-bit ARM: see macros.S. */

        .syntax unified
        .arch   armv7-a
        .arm
        .cfi_sections .debug_frame

        .macro  LANDING_PAD name
        .endm

        .macro  TAIL_CALL function
        b       \function
        .endm

        .macro  GO_BACK
        bx      lr
        .endm

/* Keeps r4, by which others are found, and one more register, on the stack. */
        .macro  KEEP_TWO register
        str     r4, [sp, #-8]!
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset r4, 0
        str     \register, [sp, #4]
        .cfi_rel_offset \register, 4
        .endm

        .macro  RESTORE_TWO register
        ldr     \register, [sp, #4]
        .cfi_restore \register
        ldr     r4, [sp], #8
        .cfi_adjust_cfa_offset -8
        .cfi_restore r4
        .endm

/* Keeps the registers that a system call takes arguments in and functions keep, and restores them. What the
 * caller left on the stack is 16 bytes further up meanwhile. */
        .macro  KEEP
        strd    r4, r5, [sp, #-16]!
        .cfi_def_cfa_offset 16
        .cfi_offset r4, -16
        .cfi_offset r5, -12
        str     r7, [sp, #8]
        .cfi_offset r7, -8
        .endm

        .macro  RESTORE
        ldr     r7, [sp, #8]
        .cfi_restore r7
        ldrd    r4, r5, [sp], #16
        .cfi_restore r4
        .cfi_restore r5
        .cfi_def_cfa_offset 0
        .endm

/* The members of the archive. */
        .macro  CYG_ARC
        bic     r2, r0, #1
        bic     r0, r1, #1              /* frompc */
        mov     r1, r2                  /* selfpc */
        .endm

/* The fifth argument is on the stack. Thumb code, to which odd addresses lead, has another frame pointer. */
        .macro  CYG_TIMED function
        mov     r2, sp
        tst     lr, #1
        movne   r3, r7
        moveq   r3, r11
        bic     ip, lr, #1
        str     ip, [sp, #-8]!
        .cfi_adjust_cfa_offset 8
        str     lr, [sp, #4]
        .cfi_rel_offset lr, 4
        bl      \function
        ldr     lr, [sp, #4]
        .cfi_restore lr
        add     sp, sp, #8
        .cfi_adjust_cfa_offset -8
        bx      lr
        .endm

        .macro  BB_INIT
        ldr     r1, 2f
1:      add     r1, pc, r1
        b       __gmon_unit
2:      .word   __bb_head_here - (1b + 8)
        .endm

        .macro  TRACE_PC
        bic     r1, lr, #1
        sub     r1, r1, #1              /* selfpc */
        mvn     r0, #0                  /* frompc: a block */
        b       __gmon_count
        .endm

        .macro  TRACE_PC_GUARD
        ldr     r2, [r0]
        bic     r1, lr, #1
        cmp     r2, #0
        subeq   r1, r1, #1              /* selfpc, where the guard knows none */
        addne   r1, r0, r2
        mvn     r0, #0
        b       __gmon_count
        .endm

        .macro  MAKE_SYSCALL
        sub     ip, r0, #384
        cmp     ip, #3                  /* execveat is 387 */
        cmpne   r0, #11                 /* execve */
        cmpne   r0, #248                /* exit_group */
        beq     1f
        KEEP
        mov     r7, r0
        mov     r0, r1
        mov     r1, r2
        mov     r2, r3
        ldr     r3, [sp, #16]
        ldr     r4, [sp, #20]
        ldr     r5, [sp, #24]
        svc     #0
        RESTORE
        cmn     r0, #4096
        bxls    lr
        rsb     r0, r0, #0
        b       __gmon_fail
1:      b       __gmon_instead_syscall
        .endm
