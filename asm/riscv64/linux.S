/* What the runtime needs of Linux and its C library on 64-bit RISC-V: system calls, threads, another
 * stack, and functions in the place of the C library's.
 */

        .set    PAGE, 4096

        .pushsection .text.__gmon_hooks, "ax", %progbits

/* __gmon_call_on(stack, function, data): calls function(data) on another stack. */
        FUNCTION HIDDEN, __gmon_call_on
        addi    sp, sp, -16
        .cfi_def_cfa_offset 16
        sd      s0, 0(sp)
        .cfi_offset s0, -16
        sd      ra, 8(sp)
        .cfi_offset ra, -8
        mv      s0, sp
        .cfi_def_cfa_register s0
        mv      sp, a0
        mv      a0, a2
        jalr    a1
        mv      sp, s0
        .cfi_def_cfa_register sp
        ld      s0, 0(sp)
        .cfi_restore s0
        ld      ra, 8(sp)
        .cfi_restore ra
        addi    sp, sp, 16
        .cfi_def_cfa_offset 0
        ret
        END     __gmon_call_on

/* __gmon_syscall(a, b, c, d, e, f, number): what the kernel answers. */
        FUNCTION HIDDEN, __gmon_syscall
        mv      a7, a6
        ecall
        ret
        END     __gmon_syscall

/* __gmon_clone(flags, stack, entry): starts a thread that begins with entry() on an empty stack. */
        FUNCTION HIDDEN, __gmon_clone
        mv      t3, a2
        li      a2, 0
        li      a3, 0
        li      a4, 0
        /* clone */
        li      a7, 220
        ecall
        beqz    a0, 1f
        ret
        .cfi_endproc
1:      .cfi_startproc
        /* the thread's first frame */
        .cfi_undefined ra
        li      s0, 0
        li      ra, 0
        jalr    t3
        unimp
        END     __gmon_clone
        .popsection

/* A function in the place of name(file, argument..., NULL [, environment]), which calls one of Rust with
 * the arguments as an array. What came in registers is laid right below what came on the stack. */
        .macro  GMON_INSTEAD_LIST name, function, environment
        FUNCTION WEAK, \name
        addi    sp, sp, -80
        .cfi_def_cfa_offset 80
        sd      ra, 8(sp)
        .cfi_offset ra, -72
        ARGUMENTS sd
        addi    a1, sp, 24
        li      a2, 0
        .if     \environment
        mv      t0, a1
        /* the environment follows the null */
1:      ld      t1, 0(t0)
        addi    t0, t0, 8
        bnez    t1, 1b
        ld      a2, 0(t0)
        .endif
        call    \function
        ld      ra, 8(sp)
        .cfi_restore ra
        addi    sp, sp, 80
        .cfi_def_cfa_offset 0
        ret
        END     \name
        .endm

        .pushsection .text.__gmon_instead, "ax", %progbits
/* clone(function, stack, flags, argument, parent_tid, tls, child_tid): as the C library's, but for what
 * comes after the function. The child finds function and argument on its stack. */
        FUNCTION WEAK, clone
        andi    a1, a1, -16
        beqz    a1, 1f
        beqz    a0, 1f
        addi    a1, a1, -16
        sd      a0, 0(a1)
        sd      a3, 8(a1)
        /* flags, parent_tid, tls, child_tid */
        mv      a0, a2
        mv      a2, a4
        mv      a3, a5
        mv      a4, a6
        li      a7, 220
        ecall
        beqz    a0, 2f
        bltz    a0, 3f
        ret
        /* EINVAL */
1:      li      a0, 22
        tail    __gmon_fail
3:      neg     a0, a0
        tail    __gmon_fail
        .cfi_endproc
2:      .cfi_startproc
        /* the child's first frame */
        .cfi_undefined ra
        li      s0, 0
        li      ra, 0
        ld      a1, 0(sp)
        ld      a0, 8(sp)
        addi    sp, sp, 16
        jalr    a1
        call    __gmon_clone_end
        unimp
        END     clone
        .popsection

        DORMANT_NOTE .Lgmon_fentry
