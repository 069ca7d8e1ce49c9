/* What the other files are made of on 32-bit ARM: see macros.S. */

        .syntax unified
        .arch   armv7-a
        .arm
        .cfi_sections .debug_frame

        .macro  LANDING_PAD name
        .endm

        .macro  TAIL_CALL function
        b       \function
        .endm

        .macro  GO_BACK
        bx      lr
        .endm

/* Keeps r4, by which others are found, and one more register, on the stack. */
        .macro  KEEP_TWO register
        str     r4, [sp, #-8]!
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset r4, 0
        str     \register, [sp, #4]
        .cfi_rel_offset \register, 4
        .endm

        .macro  RESTORE_TWO register
        ldr     \register, [sp, #4]
        .cfi_restore \register
        ldr     r4, [sp], #8
        .cfi_adjust_cfa_offset -8
        .cfi_restore r4
        .endm

/* Keeps the registers that a system call takes arguments in and functions keep, and restores them. What the
 * caller left on the stack is 16 bytes further up meanwhile. */
        .macro  KEEP
        strd    r4, r5, [sp, #-16]!
        .cfi_def_cfa_offset 16
        .cfi_offset r4, -16
        .cfi_offset r5, -12
        str     r7, [sp, #8]
        .cfi_offset r7, -8
        .endm

        .macro  RESTORE
        ldr     r7, [sp, #8]
        .cfi_restore r7
        ldrd    r4, r5, [sp], #16
        .cfi_restore r4
        .cfi_restore r5
        .cfi_def_cfa_offset 0
        .endm
