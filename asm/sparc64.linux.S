/* What the runtime needs of Linux on 64-bit SPARC is in sparc.both.linux.S, for both widths; here is what that
 * is made of.
 */

/* How far the stack pointer is below the stack; how much a frame has at least, and one that a thread begins with. */
        .set    BIAS, 2047
        .set    FRAME, 176
        .set    WIDE_FRAME, 192
/* Where the first argument that is not in a register lies, seen from the caller's stack pointer. */
        .set    ARGUMENTS, BIAS + 176

/* The runtime's and, by its sigaction, the program's signal handlers return to here. */
        .macro  GMON_RESTORERS
        NAME    HIDDEN, __gmon_restorer
        mov     101, %g1                /* rt_sigreturn */
        TRAP
        SIZE    __gmon_restorer
        .endm

/* Calls the kernel. */
        .macro  TRAP
        ta      0x6d
        .endm

        .macro  IF_FAILED target
        bcs,pn  %xcc, \target
        .endm

/* What the kernel answers, as the runtime wants it. */
        .macro  NEGATE_IF_FAILED
        bcs,a,pn %xcc, 1f
        neg     %o0
        .endm

        .macro  IF_NOT_ZERO word, target
        brnz,pn \word, \target
        .endm

/* Takes an address to a multiple of 16; if it is 0 then, goes to the target. */
        .macro  ALIGN_OR address, target
        andn    \address, 15, \address
        brz,pn  \address, \target
        .endm
