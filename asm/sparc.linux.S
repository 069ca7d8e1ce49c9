/* What the runtime needs of Linux on 32-bit SPARC is in sparc.both.linux.S, for both widths; here is what that
 * is made of.
 */

/* How far the stack pointer is below the stack; how much a frame has at least, and one that a thread begins with. */
        .set    BIAS, 0
        .set    FRAME, 96
        .set    WIDE_FRAME, 96
/* Where the first argument that is not in a register lies, seen from the caller's stack pointer. */
        .set    ARGUMENTS, 92

/* The runtime's and, by its sigaction, the program's signal handlers return to here: those without
 * SA_SIGINFO to the first. Without names: a lookup of the second one's return address finds the first. */
        .macro  GMON_RESTORERS
        mov     216, %g1                /* sigreturn */
        TRAP
        mov     101, %g1                /* rt_sigreturn */
        TRAP
        .endm

/* Calls the kernel. */
        .macro  TRAP
        ta      0x10
        .endm

        .macro  IF_FAILED target
        bcs     \target
        .endm

/* What the kernel answers, as the runtime wants it. */
        .macro  NEGATE_IF_FAILED
        bcs,a   1f
        neg     %o0
        .endm

        .macro  IF_NOT_ZERO word, target
        tst     \word
        bne     \target
        .endm

/* Takes an address to a multiple of 16; if it is 0 then, goes to the target. */
        .macro  ALIGN_OR address, target
        andncc  \address, 15, \address
        be      \target
        .endm
