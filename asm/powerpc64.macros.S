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
