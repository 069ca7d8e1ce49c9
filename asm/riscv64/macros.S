/* What the other files are made of on RISC-V: see macros.S. */

        .macro  LANDING_PAD name
        .endm

        .macro  TAIL_CALL function
        tail    \function
        .endm

        .macro  GO_BACK
        ret
        .endm

/* Loads a word as wide as an address. */
        .macro  LOAD to, offset, base
        .if     WORD == 8
        ld      \to, \offset(\base)
        .else
        lw      \to, \offset(\base)
        .endif
        .endm

/* Stores or loads the arguments in registers but the first, at the places that follow 24(sp). */
        .macro  ARGUMENTS instruction
        .irp    n, 1, 2, 3, 4, 5, 6, 7
        \instruction a\n, 16 + 8 * \n(sp)
        .endr
        .endm

/* The members of the archive. */
        .macro  CYG_ARC
        mv      a2, a0
        /* frompc */
        mv      a0, a1
        /* selfpc */
        mv      a1, a2
        .endm

        .macro  CYG_TIMED function
        mv      a2, sp
        mv      a3, s0
        mv      a4, ra
        tail    \function
        .endm

        .macro  BB_INIT
        lla     a1, __bb_head_here
        tail    __gmon_unit
        .endm

        .macro  TRACE_PC
        /* selfpc */
        addi    a1, ra, -1
        /* frompc: a block */
        li      a0, -1
        tail    __gmon_count
        .endm

        .macro  TRACE_PC_GUARD
        lw      a2, 0(a0)
        /* selfpc */
        add     a1, a0, a2
        bnez    a2, 1f
        /* where the guard knows none */
        addi    a1, ra, -1
1:      li      a0, -1
        tail    __gmon_count
        .endm

        .macro  MAKE_SYSCALL
        /* exit_group, execve, execveat */
        .irp    number, 94, 221, 281
        li      t0, \number
        beq     a0, t0, 1f
        .endr
        mv      a7, a0
        mv      a0, a1
        mv      a1, a2
        mv      a2, a3
        mv      a3, a4
        mv      a4, a5
        mv      a5, a6
        ecall
        li      t0, -4096
        bgtu    a0, t0, 2f
        ret
1:      tail    __gmon_instead_syscall
2:      negw    a0, a0
        tail    __gmon_fail
        .endm
