/* What the runtime needs of Linux and its C library on 64-bit MIPS, the n64 ABI: system calls, threads, another
 * stack, and functions in the place of the C library's.
 *
 * A system call leaves whether it failed in $7, and the error number, not negated, in $2. It changes $24 and $25, too.
 */

        .set    PAGE, 65536

        .set    CLONE, 5055

/* Where a thread or child begins, with its first frame. */
        .macro  FIRST_FRAME
        .cfi_endproc
2:      .cfi_startproc
        .cfi_undefined 31
        move    $fp, $0
        move    $31, $0
        .endm

        .pushsection .text.__gmon_hooks, "ax", %progbits

/* __gmon_call_on(stack, function, data): calls function(data) on another stack. */
        FUNCTION HIDDEN, __gmon_call_on
        daddiu  $sp, $sp, -16
        .cfi_def_cfa_offset 16
        sd      $fp, 0($sp)
        .cfi_offset 30, -16
        sd      $31, 8($sp)
        .cfi_offset 31, -8
        move    $fp, $sp
        .cfi_def_cfa_register 30
        move    $sp, $4
        move    $25, $5
        jalr    $25
         move   $4, $6
        move    $sp, $fp
        .cfi_def_cfa_register 29
        ld      $fp, 0($sp)
        .cfi_restore 30
        ld      $31, 8($sp)
        .cfi_restore 31
        jr      $31
         daddiu $sp, $sp, 16
        END     __gmon_call_on

/* __gmon_syscall(a, b, c, d, e, f, number): what the kernel answers. */
        FUNCTION HIDDEN, __gmon_syscall
        move    $2, $10
        syscall
        beqz    $7, 1f
         nop
        dnegu   $2, $2
1:      GO_BACK
        END     __gmon_syscall

/* __gmon_clone(flags, stack, entry): starts a thread that begins with entry() on an empty stack, where it finds that. */
        FUNCTION HIDDEN, __gmon_clone
        daddiu  $5, $5, -16
        sd      $6, 0($5)
        move    $6, $0
        move    $7, $0
        move    $8, $0
        li      $2, CLONE
        syscall
        bnez    $7, 1f
         nop
        beqz    $2, 2f
         nop
        GO_BACK
1:      jr      $31
         dnegu  $2, $2
        FIRST_FRAME
        ld      $25, 0($sp)
        jalr    $25
         daddiu $sp, $sp, 16
        break
        END     __gmon_clone
        .popsection

/* A function in the place of name(file, argument..., NULL [, environment]), which calls one of Rust with
 * the arguments as an array. What came in registers is laid right below what came on the stack. */
        .macro  GMON_INSTEAD_LIST name, function, environment
        FUNCTION WEAK, \name
        LANDING_PAD \name
        daddiu  $sp, $sp, -80
        .cfi_def_cfa_offset 80
        sd      $31, 8($sp)
        .cfi_offset 31, -72
        ARGUMENTS sd
        daddiu  $5, $sp, 24
        move    $6, $0
        .if     \environment
        move    $2, $5
1:      ld      $3, 0($2)               /* the environment follows the null */
        bnez    $3, 1b
         daddiu $2, $2, 8
        ld      $6, 0($2)
        .endif
        FUNCTION_AT \function
        jalr    $25
         nop
        ld      $31, 8($sp)
        .cfi_restore 31
        jr      $31
         daddiu $sp, $sp, 80
        END     \name
        .endm

        .pushsection .text.__gmon_instead, "ax", %progbits
/* clone(function, stack, flags, argument, parent_tid, tls, child_tid): as the C library's, but for what
 * comes after the function. The child finds function and argument on its stack, and where the global offset table is. */
        FUNCTION WEAK, clone
        LANDING_PAD clone
        dsrl    $5, $5, 4
        dsll    $5, $5, 4
        beqz    $5, 1f
         nop
        beqz    $4, 1f
         nop
        daddiu  $sp, $sp, -16
        .cfi_def_cfa_offset 16
        sd      $24, 0($sp)
        daddiu  $5, $5, -32
        sd      $4, 0($5)
        sd      $7, 8($5)
        sd      $24, 16($5)
        /* flags, parent_tid, tls, child_tid */
        move    $4, $6
        move    $6, $8
        move    $7, $9
        move    $8, $10
        li      $2, CLONE
        syscall
        bnez    $7, 3f
         nop
        beqz    $2, 2f
         nop
        jr      $31
         daddiu $sp, $sp, 16
3:      move    $4, $2
        ld      $24, 0($sp)
        daddiu  $sp, $sp, 16
        .cfi_def_cfa_offset 0
        TAIL_CALL __gmon_fail
1:      li      $4, 22                  /* EINVAL */
        TAIL_CALL __gmon_fail
        FIRST_FRAME
        ld      $25, 0($sp)
        jalr    $25
         ld     $4, 8($sp)
        ld      $24, 16($sp)
        FUNCTION_AT __gmon_clone_end
        jalr    $25
         move   $4, $2
        break
        END     clone
        .popsection
