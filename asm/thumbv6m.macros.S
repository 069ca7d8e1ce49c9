/* What the other files are made of on Cortex-M: see macros.S. V6-M's instructions, which all of them have. */

        .syntax unified
        .thumb

        .macro  LANDING_PAD
        .endm

/* V6-M's jump does not reach far. */
        .macro  TAIL_CALL function
        ldr     r3, 1f
        bx      r3
        .balign 4
1:      .word   \function
        .endm

        .macro  GO_BACK
        bx      lr
        .endm
