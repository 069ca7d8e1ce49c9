/* Entry hooks for 64-bit SPARC, V9. The hooks are those of both widths, sparc.both.S; here is what they are
 * made of.
 */

        .set    WORD, 8

        .macro  LOAD from, to
        ldx     \from, \to
        .endm

        .macro  STORE from, to
        stx     \from, \to
        .endm

/* The distance of a thread's word from its thread pointer, by the table of global addresses. */
        .macro  LOAD_DISTANCE from, to, name
        ldx     \from, \to, %tie_ldx(\name)
        .endm

        .macro  MULTIPLY a, b, to
        mulx    \a, \b, \to
        .endm

        .macro  SHIFT_RIGHT from, bits, to
        srlx    \from, \bits, \to
        .endm

/* After a comparison of words, or of 32 bits. */
        .macro  IF_DIFFERENT target
        bne,pn  %xcc, \target
        .endm

        .macro  IF_DIFFERENT_32 target
        bne,pn  %icc, \target
        .endm

        .macro  IF_ZERO word, target
        brz,pn  \word, \target
        .endm
