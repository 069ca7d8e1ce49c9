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
