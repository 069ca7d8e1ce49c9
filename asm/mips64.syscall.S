/* syscall(2) for 64-bit MIPS: a member of its own of the archive, which a program has only if it refers to it and does
 * not define it itself. See asm/x86_64.syscall.S.
 */

        .pushsection .text.__gmon_syscall, "ax", %progbits
        FUNCTION GLOBAL, syscall
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
        END     syscall
        .popsection
