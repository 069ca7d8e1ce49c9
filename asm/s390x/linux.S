/* What the runtime needs of Linux and its C library on IBM Z in 64 bits: system calls, threads, another
 * stack, and functions in the place of the C library's.
 */

        .set    PAGE, 4096

        .set    CLONE, 120

/* Where arguments that are not in registers begin, and where a function may save its registers. */
        .set    ARGUMENTS, 160
        .set    SAVED_R6, 48
        .set    SAVED_R11, 88

/* Where a thread or child begins, with its first frame. */
        .macro  FIRST_FRAME
        .cfi_endproc
2:      .cfi_startproc
        .cfi_undefined %r14
        xc      0(8, %r15), 0(%r15)
        .endm

/* No instruction. */
        .macro  TRAP
        .short  0
        .endm

        .pushsection .text.__gmon_hooks, "ax", %progbits

/* __gmon_call_on(stack, function, data): calls function(data) on another stack. */
        FUNCTION HIDDEN, __gmon_call_on
        stmg    %r11, %r15, SAVED_R11(%r15)
        .cfi_offset %r11, SAVED_R11 - FRAME
        .cfi_offset %r14, SAVED_R14 - FRAME
        .cfi_offset %r15, SAVED_R14 + 8 - FRAME
        lgr     %r11, %r15
        .cfi_def_cfa_register %r11
        lay     %r15, -FRAME(%r2)
        lgr     %r2, %r4
        basr    %r14, %r3
        lmg     %r11, %r15, SAVED_R11(%r11)
        .cfi_def_cfa_register %r15
        .cfi_restore %r11
        .cfi_restore %r14
        .cfi_restore %r15
        br      %r14
        END     __gmon_call_on

/* __gmon_syscall(a, b, c, d, e, f, number): what the kernel answers. */
        FUNCTION HIDDEN, __gmon_syscall
        stmg    %r6, %r7, SAVED_R6(%r15)
        .cfi_offset %r6, SAVED_R6 - FRAME
        .cfi_offset %r7, SAVED_R7 - FRAME
        lg      %r7, ARGUMENTS(%r15)
        lg      %r1, ARGUMENTS+8(%r15)
        svc     0
        lmg     %r6, %r7, SAVED_R6(%r15)
        .cfi_restore %r6
        .cfi_restore %r7
        br      %r14
        END     __gmon_syscall

/* __gmon_clone(flags, stack, entry): starts a thread that begins with entry() on an empty stack. The kernel wants
 * the stack first. */
        FUNCTION HIDDEN, __gmon_clone
        lgr     %r1, %r4
        lgr     %r0, %r2
        lay     %r2, -FRAME(%r3)
        lgr     %r3, %r0
        lghi    %r4, 0
        lghi    %r5, 0
        svc     CLONE
        ltgr    %r2, %r2
        je      2f
        br      %r14
        FIRST_FRAME
        basr    %r14, %r1
        TRAP
        END     __gmon_clone
        .popsection

/* A function in the place of name(file, argument..., NULL [, environment]), which calls one of Rust with
 * the arguments as an array. What came in registers is laid right below what came on the stack. */
        .macro  GMON_INSTEAD_LIST name, function, environment
        FUNCTION WEAK, \name
        stmg    %r14, %r15, SAVED_R14(%r15)
        .cfi_offset %r14, SAVED_R14 - FRAME
        .cfi_offset %r15, SAVED_R14 + 8 - FRAME
        stmg    %r3, %r6, ARGUMENTS-4*8(%r15)
        la      %r3, ARGUMENTS-4*8(%r15)
        lghi    %r4, 0
        .if     \environment
        lgr     %r1, %r3
1:      ltg     %r0, 0(%r1)             /* the environment follows the null */
        la      %r1, 8(%r1)
        jne     1b
        lg      %r4, 0(%r1)
        .endif
        aghi    %r15, -FRAME
        .cfi_adjust_cfa_offset FRAME
        brasl   %r14, \function
        aghi    %r15, FRAME
        .cfi_adjust_cfa_offset -FRAME
        lg      %r14, SAVED_R14(%r15)
        .cfi_restore %r14
        .cfi_restore %r15
        br      %r14
        END     \name
        .endm

        .pushsection .text.__gmon_instead, "ax", %progbits
/* clone(function, stack, flags, argument, parent_tid, tls, child_tid): as the C library's, but for what
 * comes after the function. The child has function and argument in registers. */
        FUNCTION WEAK, clone
        nill    %r3, 0xfff0
        ltgr    %r3, %r3
        je      1f
        ltgr    %r2, %r2
        je      1f
        stg     %r6, SAVED_R6(%r15)
        .cfi_offset %r6, SAVED_R6 - FRAME
        lgr     %r1, %r2                /* function */
        lgr     %r0, %r5                /* argument */
        lay     %r2, -FRAME(%r3)
        llgfr   %r3, %r4                /* flags */
        lgr     %r4, %r6                /* parent_tid */
        lg      %r5, ARGUMENTS+8(%r15)  /* child_tid */
        lg      %r6, ARGUMENTS(%r15)    /* tls */
        svc     CLONE
        ltgr    %r2, %r2
        je      2f
        lg      %r6, SAVED_R6(%r15)
        .cfi_restore %r6
        jl      3f
        br      %r14
1:      lghi    %r2, 22                 /* EINVAL */
        jg      __gmon_fail
3:      lcgr    %r2, %r2
        jg      __gmon_fail
        FIRST_FRAME
        lgr     %r2, %r0
        basr    %r14, %r1
        brasl   %r14, __gmon_clone_end
        TRAP
        END     clone
        .popsection
