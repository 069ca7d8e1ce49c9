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

/* The members of the archive. */
        .macro  CYG_ARC
        move    $3, $4
        move    $4, $5                  /* frompc */
        move    $5, $3                  /* selfpc */
        .endm

        .macro  CYG_TIMED function
        move    $6, $29
        move    $7, $30
        move    $8, $31
        TAIL_CALL \function
        .endm

        .macro  BB_INIT
        LANDING_PAD __bb_init_func
        ld      $5, %got_disp(__bb_head_here)($24)
        TAIL_CALL __gmon_unit
        .endm

        .macro  TRACE_PC
        LANDING_PAD __sanitizer_cov_trace_pc
        daddiu  $5, $31, -1             /* selfpc */
        li      $4, -1                  /* frompc: a block */
        TAIL_CALL __gmon_count
        .endm

        .macro  TRACE_PC_GUARD
        LANDING_PAD __sanitizer_cov_trace_pc_guard
        lw      $2, 0($4)
        bnez    $2, 1f
         daddu  $5, $4, $2              /* selfpc */
        daddiu  $5, $31, -1             /* where the guard knows none */
1:      li      $4, -1
        TAIL_CALL __gmon_count
        .endm

        .macro  MAKE_SYSCALL
        LANDING_PAD syscall
        .irp    number, 5057, 5205, 5316        /* execve, exit_group, execveat */
        li      $2, \number
        beq     $4, $2, 1f
         nop
        .endr
        daddiu  $sp, $sp, -16
        .cfi_def_cfa_offset 16
        sd      $24, 0($sp)
        move    $2, $4
        move    $4, $5
        move    $5, $6
        move    $6, $7
        move    $7, $8
        move    $8, $9
        move    $9, $10
        syscall
        ld      $24, 0($sp)
        daddiu  $sp, $sp, 16
        .cfi_def_cfa_offset 0
        bnez    $7, 2f
         nop
        GO_BACK
1:      TAIL_CALL __gmon_instead_syscall
2:      move    $4, $2
        TAIL_CALL __gmon_fail
        .endm
