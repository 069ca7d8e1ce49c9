/* Entry hooks for 32-bit SPARC, V8+: 32-bit addresses on a V9 processor. The hooks are those of both
 * widths, sparc.both.S; here is what they are made of.
 */

        .set    WORD, 4

        .macro  LOAD from, to
        ld      \from, \to
        .endm

        .macro  STORE from, to
        st      \from, \to
        .endm

/* The distance of a thread's word from its thread pointer, by the table of global addresses. */
        .macro  LOAD_DISTANCE from, to, name
        ld      \from, \to, %tie_ld(\name)
        .endm

        .macro  MULTIPLY a, b, to
        umul    \a, \b, \to
        .endm

        .macro  SHIFT_RIGHT from, bits, to
        srl     \from, \bits, \to
        .endm

/* After a comparison of words, or of 32 bits. */
        .macro  IF_DIFFERENT target
        bne     \target
        .endm

        .macro  IF_DIFFERENT_32 target
        bne     \target
        .endm

        .macro  IF_ZERO word, target
        tst     \word
        be      \target
        .endm
