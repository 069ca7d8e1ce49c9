/* What the other files are made of on IBM Z in 64 bits: see macros.S. */

        .macro  LANDING_PAD name
        .endm

        .macro  TAIL_CALL function
        jg      \function\()@PLT
        .endm

        .macro  GO_BACK
        br      %r14
        .endm
