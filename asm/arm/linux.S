/* What the runtime needs of Linux and its C library on 32-bit ARM: system calls, threads, another stack,
 * and functions in the place of the C library's.
 */

        .set    PAGE, 4096

        .pushsection .text.__gmon_hooks, "ax", %progbits

/* __gmon_call_on(stack, function, data): calls function(data) on another stack. */
        FUNCTION HIDDEN, __gmon_call_on
        KEEP_TWO lr
        mov     r4, sp
        .cfi_def_cfa_register r4
        mov     sp, r0
        mov     r0, r2
        blx     r1
        mov     sp, r4
        .cfi_def_cfa_register sp
        RESTORE_TWO lr
        bx      lr
        END     __gmon_call_on

/* __gmon_syscall(a, b, c, d, e, f, number): what the kernel answers. */
        FUNCTION HIDDEN, __gmon_syscall
        KEEP
        ldr     r4, [sp, #16]
        ldr     r5, [sp, #20]
        ldr     r7, [sp, #24]
        svc     #0
        RESTORE
        bx      lr
        END     __gmon_syscall

/* __gmon_clone(flags, stack, entry): starts a thread that begins with entry() on an empty stack. */
        FUNCTION HIDDEN, __gmon_clone
        KEEP_TWO r7
        mov     ip, r2
        mov     r2, #0
        mov     r3, #0
        mov     r4, #0
        mov     r7, #120                /* clone */
        svc     #0
        cmp     r0, #0
        beq     1f
        RESTORE_TWO r7
        bx      lr
        .cfi_endproc
1:      .cfi_startproc
        .cfi_undefined lr               /* the thread's first frame */
        mov     r11, #0
        mov     lr, #0
        blx     ip
        udf     #0
        END     __gmon_clone
        .popsection

/* A function in the place of name(file, argument..., NULL [, environment]), which calls one of Rust with
 * the arguments as an array. What came in registers is laid right below what came on the stack. */
        .macro  GMON_INSTEAD_LIST name, function, environment
        FUNCTION WEAK, \name
        str     lr, [sp, #-16]!
        .cfi_def_cfa_offset 16
        .cfi_offset lr, -16
        str     r1, [sp, #4]
        strd    r2, r3, [sp, #8]
        add     r1, sp, #4
        mov     r2, #0
        .if     \environment
        mov     ip, r1
1:      ldr     r3, [ip], #4            /* the environment follows the null */
        cmp     r3, #0
        bne     1b
        ldr     r2, [ip]
        .endif
        bl      \function
        ldr     lr, [sp], #16
        .cfi_restore lr
        .cfi_def_cfa_offset 0
        bx      lr
        END     \name
        .endm

        .pushsection .text.__gmon_instead, "ax", %progbits
/* clone(function, stack, flags, argument, parent_tid, tls, child_tid): as the C library's, but for what
 * comes after the function. The child finds function and argument on its stack. */
        FUNCTION WEAK, clone
        bics    r1, r1, #7
        beq     1f
        cmp     r0, #0
        beq     1f
        str     r3, [r1, #-4]!
        str     r0, [r1, #-4]!
        KEEP_TWO r7
        mov     r0, r2                  /* flags */
        ldr     r2, [sp, #8]            /* parent_tid */
        ldr     r3, [sp, #12]           /* tls */
        ldr     r4, [sp, #16]           /* child_tid */
        mov     r7, #120
        svc     #0
        cmp     r0, #0
        beq     2f
        RESTORE_TWO r7
        bxpl    lr
        rsb     r0, r0, #0
        b       __gmon_fail
1:      mov     r0, #22                 /* EINVAL */
        b       __gmon_fail
        .cfi_endproc
2:      .cfi_startproc
        .cfi_undefined lr               /* the child's first frame */
        mov     r11, #0
        mov     lr, #0
        ldr     r1, [sp], #4
        ldr     r0, [sp], #4
        blx     r1
        bl      __gmon_clone_end
        udf     #0
        END     clone
        .popsection
