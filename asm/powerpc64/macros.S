/* What the other files are made of on 64-bit PowerPC, ELFv2: see macros.S.
 *
 * A function has two entries. Calls by a pointer and from other modules come to the first one, with its address in
 * %r12; there it computes %r2, by which data is found. Calls from its own module, where %r2 is the same, come to the
 * second one, two instructions further on.
 */

        .macro  LANDING_PAD name
9:      addis   %r2, %r12, .TOC.-9b@ha
        addi    %r2, %r2, .TOC.-9b@l
        SECOND_ENTRY \name
        .endm

/* Notes that the function of this name has a second entry behind these two instructions. */
        .macro  SECOND_ENTRY name
        .localentry \name, 8
        .endm

        .macro  TAIL_CALL function
        b       \function
        .endm

        .macro  GO_BACK
        blr
        .endm

/* The members of the archive. */
        .macro  CYG_ARC
        mr      %r5, %r3
        mr      %r3, %r4                /* frompc */
        mr      %r4, %r5                /* selfpc */
        .endm

        .macro  CYG_TIMED function
        mr      %r5, %r1
        mr      %r6, %r31
        mflr    %r7
        b       \function
        .endm

        .macro  BB_INIT
        LANDING_PAD __bb_init_func
        addis   %r4, %r2, __bb_head_here@toc@ha
        addi    %r4, %r4, __bb_head_here@toc@l
        b       __gmon_unit
        .endm

        .macro  TRACE_PC
        LANDING_PAD __sanitizer_cov_trace_pc
        mflr    %r4
        addi    %r4, %r4, -1            /* selfpc */
        li      %r3, -1                 /* frompc: a block */
        b       __gmon_count
        .endm

        .macro  TRACE_PC_GUARD
        LANDING_PAD __sanitizer_cov_trace_pc_guard
        lwa     %r5, 0(%r3)
        add     %r4, %r3, %r5           /* selfpc */
        cmpdi   %r5, 0
        bne     1f
        mflr    %r4                     /* where the guard knows none */
        addi    %r4, %r4, -1
1:      li      %r3, -1
        b       __gmon_count
        .endm

        .macro  MAKE_SYSCALL
        LANDING_PAD syscall
        .irp    number, 11, 234, 362            /* execve, exit_group, execveat */
        cmpdi   %r3, \number
        beq     1f
        .endr
        mr      %r0, %r3
        mr      %r3, %r4
        mr      %r4, %r5
        mr      %r5, %r6
        mr      %r6, %r7
        mr      %r7, %r8
        mr      %r8, %r9
        sc
        bnslr
        b       __gmon_fail
1:      b       __gmon_instead_syscall
        .endm
