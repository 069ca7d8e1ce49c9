/* What the other files are made of on 64-bit RISC-V: see macros.S. */

        .macro  LANDING_PAD
        .endm

        .macro  TAIL_CALL function
        tail    \function
        .endm

        .macro  GO_BACK
        ret
        .endm
