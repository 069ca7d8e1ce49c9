/* What the other files are made of on IBM Z in 64 bits: see macros.S. */

        .macro  LANDING_PAD name
        .endm

        .macro  TAIL_CALL function
        jg      \function\()@PLT
        .endm

        .macro  GO_BACK
        br      %r14
        .endm

/* The members of the archive. */
        .macro  CYG_ARC
        lgr     %r1, %r2
        lgr     %r2, %r3                /* frompc */
        lgr     %r3, %r1                /* selfpc */
        .endm

/* The fifth argument is in a register that functions keep. */
        .macro  CYG_TIMED function
        stmg    %r6, %r15, 48(%r15)
        .cfi_offset %r6, -112
        .cfi_offset %r14, -48
        .cfi_offset %r15, -40
        lgr     %r4, %r15
        lgr     %r5, %r11
        lgr     %r6, %r14
        aghi    %r15, -160
        .cfi_def_cfa_offset 320
        brasl   %r14, \function\()@PLT
        lmg     %r6, %r15, 208(%r15)
        .cfi_restore %r6
        .cfi_restore %r14
        .cfi_restore %r15
        .cfi_def_cfa_offset 160
        br      %r14
        .endm

        .macro  BB_INIT
        larl    %r3, __bb_head_here
        TAIL_CALL __gmon_unit
        .endm

        .macro  TRACE_PC
        lay     %r3, -1(%r14)           /* selfpc */
        lghi    %r2, -1                 /* frompc: a block */
        TAIL_CALL __gmon_count
        .endm

        .macro  TRACE_PC_GUARD
        ltgf    %r1, 0(%r2)
        la      %r3, 0(%r1,%r2)         /* selfpc */
        jne     1f
        lay     %r3, -1(%r14)           /* where the guard knows none */
1:      lghi    %r2, -1
        TAIL_CALL __gmon_count
        .endm

/* A function may save %r6 and %r7 at 48(%r15), and arguments that are not in registers begin at 160(%r15). */
        .macro  MAKE_SYSCALL
        .set    SAVED_R6, 48
        .set    ARGUMENTS, 160
        .irp    number, 11, 248, 354            /* execve, exit_group, execveat */
        cghi    %r2, \number
        je      1f
        .endr
        stmg    %r6, %r7, SAVED_R6(%r15)
        .cfi_offset %r6, SAVED_R6 - 160
        .cfi_offset %r7, SAVED_R6 + 8 - 160
        lgr     %r1, %r2
        lgr     %r2, %r3
        lgr     %r3, %r4
        lgr     %r4, %r5
        lgr     %r5, %r6
        lg      %r6, ARGUMENTS(%r15)
        lg      %r7, ARGUMENTS+8(%r15)
        svc     0
        lmg     %r6, %r7, SAVED_R6(%r15)
        .cfi_restore %r6
        .cfi_restore %r7
        lghi    %r1, -4096
        clgr    %r2, %r1
        jh      2f
        br      %r14
1:      TAIL_CALL __gmon_instead_syscall
2:      lcgr    %r2, %r2
        TAIL_CALL __gmon_fail
        .endm
