/* What the runtime needs of Linux and its C library on AArch64: system calls, threads, another
 * stack, and functions in the place of the C library's.
 */

        .set    PAGE, 65536

        .pushsection .text.__gmon_hooks, "ax", %progbits

/* __gmon_call_on(stack, function, data): calls function(data) on another stack. */
        FUNCTION HIDDEN, __gmon_call_on
        hint    #34
        stp     x29, x30, [sp, #-16]!
        .cfi_def_cfa_offset 16
        .cfi_offset x29, -16
        .cfi_offset x30, -8
        mov     x29, sp
        .cfi_def_cfa_register x29
        mov     sp, x0
        mov     x0, x2
        blr     x1
        mov     sp, x29
        .cfi_def_cfa_register sp
        ldp     x29, x30, [sp], #16
        .cfi_def_cfa_offset 0
        .cfi_restore x29
        .cfi_restore x30
        ret
        END     __gmon_call_on

/* __gmon_syscall(a, b, c, d, e, f, number): what the kernel answers. */
        FUNCTION HIDDEN, __gmon_syscall
        hint    #34
        mov     x8, x6
        svc     #0
        ret
        END     __gmon_syscall

/* __gmon_clone(flags, stack, entry): starts a thread that begins with entry() on an empty stack. */
        FUNCTION HIDDEN, __gmon_clone
        hint    #34
        mov     x9, x2
        mov     x2, #0
        mov     x3, #0
        mov     x4, #0
        mov     x8, #220                /* clone */
        svc     #0
        cbz     x0, 1f
        ret
        .cfi_endproc
1:      .cfi_startproc
        .cfi_undefined x30              /* the thread's first frame */
        mov     x29, #0
        mov     x30, #0
        blr     x9
        brk     #1
        END     __gmon_clone
        .popsection

/* A function in the place of name(file, argument..., NULL [, environment]), which calls one of Rust with
 * the arguments as an array. What came in registers is laid right below what came on the stack. */
        .macro  GMON_INSTEAD_LIST name, function, environment
        FUNCTION WEAK, \name
        hint    #34
        stp     x29, x30, [sp, #-80]!
        .cfi_def_cfa_offset 80
        .cfi_offset x29, -80
        .cfi_offset x30, -72
        mov     x29, sp
        str     x1, [sp, #24]
        stp     x2, x3, [sp, #32]
        stp     x4, x5, [sp, #48]
        stp     x6, x7, [sp, #64]
        add     x1, sp, #24
        mov     x2, #0
        .if     \environment
        mov     x9, x1
1:      ldr     x10, [x9], #8           /* the environment follows the null */
        cbnz    x10, 1b
        ldr     x2, [x9]
        .endif
        bl      \function
        ldp     x29, x30, [sp], #80
        .cfi_def_cfa_offset 0
        .cfi_restore x29
        .cfi_restore x30
        ret
        END     \name
        .endm

        .pushsection .text.__gmon_instead, "ax", %progbits
/* clone(function, stack, flags, argument, parent_tid, tls, child_tid): as the C library's, but for what
 * comes after the function. The child finds function and argument on its stack. */
        FUNCTION WEAK, clone
        hint    #34
        and     x1, x1, #-16
        cbz     x1, 1f
        cbz     x0, 1f
        stp     x0, x3, [x1, #-16]!
        mov     w0, w2                  /* flags */
        mov     x2, x4                  /* parent_tid */
        mov     x3, x5                  /* tls */
        mov     x4, x6                  /* child_tid */
        mov     x8, #220
        svc     #0
        cbz     x0, 2f
        tbnz    x0, #63, 3f
        ret
1:      mov     w0, #22                 /* EINVAL */
        b       __gmon_fail
3:      neg     w0, w0
        b       __gmon_fail
        .cfi_endproc
2:      .cfi_startproc
        .cfi_undefined x30              /* the child's first frame */
        mov     x29, #0
        mov     x30, #0
        ldp     x1, x0, [sp], #16
        blr     x1
        bl      __gmon_clone_end
        brk     #1
        END     clone
        .popsection

        DORMANT_NOTE .Lgmon_fentry, .Lgmon_return
