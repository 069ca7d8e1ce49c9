/* What the runtime needs of Linux and its C library on 64-bit PowerPC: system calls, threads, another
 * stack, and functions in the place of the C library's.
 */

        .set    PAGE, 65536

        .set    CLONE, 120

/* What a function needs of the stack to call another one that knows its arguments, where it saves %r2 there, and where
 * the arguments lie in its caller's frame, which came in registers and on the stack. */
        .set    FRAME, 32
        .set    SAVED_R2, 24
        .set    ARGUMENTS, 32

/* Calls by a pointer. */
        .macro  CALL_BY pointer
        mr      %r12, \pointer
        mtctr   %r12
        bctrl
        .endm

/* Where a thread or child begins, with its first frame. */
        .macro  FIRST_FRAME
        .cfi_endproc
2:      .cfi_startproc
        .cfi_undefined 65
        .endm

/* Calls the kernel, with the first argument on top of a new stack: it begins with a frame without a caller. */
        .macro  CLONE_ON stack
        addi    \stack, \stack, -FRAME
        li      %r0, 0
        std     %r0, BACK_CHAIN(\stack)
        std     %r2, SAVED_R2(\stack)
        li      %r0, CLONE
        sc
        cmpdi   %cr1, %r3, 0
        bso     3f
        beq     %cr1, 2f
        .endm

        .pushsection .text.__gmon_hooks, "ax", %progbits

/* __gmon_call_on(stack, function, data): calls function(data) on another stack. */
        FUNCTION HIDDEN, __gmon_call_on
        mflr    %r0
        .cfi_register 65, 0
        std     %r0, SAVED_LR(%r1)
        .cfi_offset 65, SAVED_LR
        std     %r31, -8(%r1)
        .cfi_offset 31, -8
        mr      %r31, %r1
        .cfi_def_cfa_register 31
        stdu    %r1, -FRAME(%r3)
        mr      %r1, %r3
        mr      %r3, %r5
        CALL_BY %r4
        mr      %r1, %r31
        .cfi_def_cfa_register 1
        ld      %r31, -8(%r1)
        .cfi_restore 31
        ld      %r0, SAVED_LR(%r1)
        mtlr    %r0
        .cfi_restore 65
        blr
        END     __gmon_call_on

/* __gmon_syscall(a, b, c, d, e, f, number): what the kernel answers. */
        FUNCTION HIDDEN, __gmon_syscall
        mr      %r0, %r9
        sc
        bnslr
        neg     %r3, %r3
        blr
        END     __gmon_syscall

/* __gmon_clone(flags, stack, entry): starts a thread that begins with entry() on an empty stack. */
        FUNCTION HIDDEN, __gmon_clone
        std     %r30, -8(%r1)
        .cfi_offset 30, -8
        mr      %r30, %r5
        li      %r5, 0
        li      %r6, 0
        li      %r7, 0
        CLONE_ON %r4
        ld      %r30, -8(%r1)
        blr
3:      ld      %r30, -8(%r1)
        neg     %r3, %r3
        blr
        FIRST_FRAME
        CALL_BY %r30
        trap
        END     __gmon_clone
        .popsection

/* A function in the place of name(file, argument..., NULL [, environment]), which calls one of Rust with
 * the arguments as an array. The caller has left room for what came in registers right below what came on
 * the stack. */
        .macro  GMON_INSTEAD_LIST name, function, environment
        FUNCTION WEAK, \name
        LANDING_PAD \name
        mflr    %r0
        .cfi_register 65, 0
        std     %r0, SAVED_LR(%r1)
        .cfi_offset 65, SAVED_LR
        .irp    n, 4, 5, 6, 7, 8, 9, 10
        std     %r\n, ARGUMENTS + 8 * (\n - 3)(%r1)
        .endr
        addi    %r4, %r1, ARGUMENTS + 8
        li      %r5, 0
        .if     \environment
        mr      %r6, %r4
1:      ld      %r7, 0(%r6)             /* the environment follows the null */
        addi    %r6, %r6, 8
        cmpdi   %r7, 0
        bne     1b
        ld      %r5, 0(%r6)
        .endif
        stdu    %r1, -FRAME(%r1)
        .cfi_def_cfa_offset FRAME
        bl      \function
        nop
        addi    %r1, %r1, FRAME
        .cfi_def_cfa_offset 0
        ld      %r0, SAVED_LR(%r1)
        mtlr    %r0
        .cfi_restore 65
        blr
        END     \name
        .endm

        .pushsection .text.__gmon_instead, "ax", %progbits
/* clone(function, stack, flags, argument, parent_tid, tls, child_tid): as the C library's, but for what
 * comes after the function. The child has function and argument in registers. */
        FUNCTION WEAK, clone
        LANDING_PAD clone
        clrrdi  %r4, %r4, 4
        cmpdi   %r4, 0
        beq     1f
        cmpdi   %r3, 0
        beq     1f
        std     %r30, -16(%r1)
        .cfi_offset 30, -16
        std     %r31, -8(%r1)
        .cfi_offset 31, -8
        mr      %r30, %r3               /* function */
        mr      %r31, %r6               /* argument */
        clrldi  %r3, %r5, 32            /* flags */
        mr      %r5, %r7                /* parent_tid */
        mr      %r6, %r8                /* tls */
        mr      %r7, %r9                /* child_tid */
        CLONE_ON %r4
        ld      %r30, -16(%r1)
        ld      %r31, -8(%r1)
        blr
1:      li      %r3, 22                 /* EINVAL */
        b       __gmon_fail
3:      ld      %r30, -16(%r1)
        ld      %r31, -8(%r1)
        b       __gmon_fail
        FIRST_FRAME
        mr      %r3, %r31
        CALL_BY %r30
        ld      %r2, SAVED_R2(%r1)
        bl      __gmon_clone_end
        nop
        trap
        END     clone
        .popsection
