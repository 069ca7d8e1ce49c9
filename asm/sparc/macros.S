/* What the other files are made of on SPARC of both widths: V8+, with 32-bit addresses on a V9 processor, and
 * V9. See macros.S.
 */

/* One instruction for each width. */
        .macro  BY_WIDTH narrow, wide, operands:vararg
        .if     WORD == 8
        \wide   \operands
        .else
        \narrow \operands
        .endif
        .endm

        .macro  LANDING_PAD name
        .endm

        .macro  TAIL_CALL function
        mov     %o7, %g1
        .cfi_register %o7, %g1
        call    \function
        mov     %g1, %o7
        .endm

        .macro  GO_BACK
        retl
        nop
        .endm

        .macro  LOAD from, to
        BY_WIDTH ld, ldx, \from, \to
        .endm

        .macro  STORE from, to
        BY_WIDTH st, stx, \from, \to
        .endm

/* The distance of a thread's word from its thread pointer, by the table of global addresses. */
        .macro  LOAD_DISTANCE from, to, name
        .if     WORD == 8
        ldx     \from, \to, %tie_ldx(\name)
        .else
        ld      \from, \to, %tie_ld(\name)
        .endif
        .endm

        .macro  MULTIPLY a, b, to
        BY_WIDTH umul, mulx, \a, \b, \to
        .endm

        .macro  SHIFT_RIGHT from, bits, to
        BY_WIDTH srl, srlx, \from, \bits, \to
        .endm

/* After a comparison of words, or of 32 bits. */
        .macro  IF_EQUAL target
        BY_WIDTH be, "be %xcc,", \target
        .endm

        .macro  IF_DIFFERENT target
        BY_WIDTH bne, "bne,pn %xcc,", \target
        .endm

        .macro  IF_DIFFERENT_32 target
        BY_WIDTH bne, "bne,pn %icc,", \target
        .endm

        .macro  IF_ZERO word, target
        AFTER_TEST be, "brz,pn", \word, \target
        .endm

        .macro  IF_NOT_ZERO word, target
        AFTER_TEST bne, "brnz,pn", \word, \target
        .endm

        .macro  AFTER_TEST narrow, wide, word, target
        .if     WORD == 8
        \wide   \word, \target
        .else
        tst     \word
        \narrow \target
        .endif
        .endm

/* Calls the kernel. */
        .macro  TRAP
        .if     WORD == 8
        ta      0x6d
        .else
        ta      0x10
        .endif
        .endm

        .macro  IF_FAILED target
        BY_WIDTH bcs, "bcs,pn %xcc,", \target
        .endm

/* How far the stack pointer is below the stack, and where, seen from it, the first argument lies that is not in a
 * register. */
        .if     WORD == 8
        .set    BIAS, 2047
        .set    ARGUMENTS, BIAS + 176
        .else
        .set    BIAS, 0
        .set    ARGUMENTS, 92
        .endif

/* The members of the archive. */
        .macro  CYG_ARC
        mov     %o0, %o2
        sub     %o1, 8, %o0             /* frompc */
        mov     %o2, %o1                /* selfpc */
        .endm

/* Where functions jump to the hook, the two addresses of calls are the same: so the second is made as the first. */
        .macro  CYG_TIMED function
        mov     %sp, %o2
        mov     %fp, %o3
        sub     %o7, 8, %o4
        TAIL_CALL \function
        .endm

        .macro  BB_INIT
        mov     %o7, %g1
        .cfi_register %o7, %g1
        call    1f
        nop
1:      sethi   %pc22(__bb_head_here+8), %o1
        or      %o1, %pc10(__bb_head_here+12), %o1
        add     %o7, %o1, %o1
        call    __gmon_unit
        mov     %g1, %o7
        .endm

        .macro  TRACE_PC
        mov     %o7, %g1
        .cfi_register %o7, %g1
        mov     %o7, %o1                /* selfpc */
        mov     -1, %o0                 /* frompc: a block */
        call    __gmon_count
        mov     %g1, %o7
        .endm

        .macro  TRACE_PC_GUARD
        mov     %o7, %g1
        .cfi_register %o7, %g1
        ldsw    [%o0], %o2
        brz,pn  %o2, 1f
        mov     %o7, %o1                /* selfpc, where the guard knows none */
        add     %o0, %o2, %o1
1:      mov     -1, %o0
        call    __gmon_count
        mov     %g1, %o7
        .endm

        .macro  MAKE_SYSCALL
        .irp    number, 59, 188, 350            /* execve, exit_group, execveat */
        cmp     %o0, \number
        IF_EQUAL 1f
        nop
        .endr
        mov     %o0, %g1
        mov     %o1, %o0
        mov     %o2, %o1
        mov     %o3, %o2
        mov     %o4, %o3
        mov     %o5, %o4
        LOAD    [%sp+ARGUMENTS], %o5
        TRAP
        IF_FAILED 2f
        nop
        retl
        nop
1:      mov     %o7, %g1
        call    __gmon_instead_syscall
        mov     %g1, %o7
2:      mov     %o7, %g1
        call    __gmon_fail
        mov     %g1, %o7
        .endm
