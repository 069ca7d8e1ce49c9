/* What the other files are made of on 64-bit MIPS, the n64 ABI: see macros.S.
 *
 * Nothing is addressed relative to the program counter. A function is called with its address in $25, from which it computes
 * where the table of global offsets is: the compiler's code in $28, which belongs to callers, and this code in $24.
 * The instruction behind a jump or branch, indented by one more space, is executed before the jump takes effect.
 */

        .set    noreorder
        .set    noat

/* Lets $24 tell where the global offset table is, in the function of this name. */
        .macro  LANDING_PAD name
        lui     $24, %hi(%neg(%gp_rel(\name)))
        daddu   $24, $24, $25
        daddiu  $24, $24, %lo(%neg(%gp_rel(\name)))
        .endm

/* Loads the address of a function, to jump to. */
        .macro  FUNCTION_AT function
        ld      $25, %got_disp(\function)($24)
        .endm

        .macro  TAIL_CALL function
        FUNCTION_AT \function
        jr      $25
         nop
        .endm

        .macro  GO_BACK
        jr      $31
         nop
        .endm

/* Stores or loads the arguments in registers but the first, at the places that follow 24($sp). */
        .macro  ARGUMENTS instruction
        .irp    n, 5, 6, 7, 8, 9, 10, 11
        \instruction $\n, 24 + 8 * (\n - 5)($sp)
        .endr
        .endm
