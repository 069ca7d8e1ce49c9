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
