/* What the other files are made of on AArch64: see macros.S. */

        .macro  LANDING_PAD name
        hint    #34                     /* bti c */
        .endm

        .macro  TAIL_CALL function
        b       \function
        .endm

        .macro  GO_BACK
        ret
        .endm

/* The members of the archive. */
        .macro  CYG_ARC
        mov     x2, x0
        mov     x0, x1                  /* frompc */
        mov     x1, x2                  /* selfpc */
        .endm

        .macro  CYG_TIMED function
        mov     x2, sp
        mov     x3, x29
        mov     x4, x30
        b       \function
        .endm

        .macro  BB_INIT
        hint    #34                     /* bti c */
        adrp    x1, __bb_head_here
        add     x1, x1, #:lo12:__bb_head_here
        b       __gmon_unit
        .endm

        .macro  TRACE_PC
        hint    #34                     /* bti c */
        sub     x1, x30, #1             /* selfpc */
        mov     x0, #-1                 /* frompc: a block */
        b       __gmon_count
        .endm

        .macro  TRACE_PC_GUARD
        hint    #34
        ldrsw   x2, [x0]
        sub     x1, x30, #1             /* selfpc, where the guard knows none */
        add     x3, x0, x2
        cmp     x2, #0
        csel    x1, x1, x3, eq
        mov     x0, #-1
        b       __gmon_count
        .endm

        .macro  MAKE_SYSCALL
        hint    #34                     /* bti c */
        .irp    number, 94, 221, 281            /* exit_group, execve, execveat */
        cmp     x0, #\number
        b.eq    1f
        .endr
        mov     x8, x0
        mov     x0, x1
        mov     x1, x2
        mov     x2, x3
        mov     x3, x4
        mov     x4, x5
        mov     x5, x6
        svc     #0
        cmn     x0, #4095
        b.cs    2f
        ret
1:      b       __gmon_instead_syscall
2:      neg     w0, w0
        b       __gmon_fail
        .endm
