/* What the runtime needs of Linux and its C library on x86-64: system calls, threads, another stack,
 * and functions in the place of the C library's.
 */

        .set    PAGE, 4096

        .pushsection .text.__gmon_hooks, "ax", %progbits

/* Where the runtime's and, by its sigaction, the program's signal handlers return to. Debuggers know
 * signal frames by these nine bytes. They come right after __external_caller, which includes the gap: a handler's caller is
 * taken to be one byte before them, and that is the kernel, outside the program. */
        .balign 16
        nop
        SIZE    __external_caller
        NAME    HIDDEN, __gmon_restorer
        movq    $15, %rax                               /* rt_sigreturn */
        syscall
        SIZE    __gmon_restorer

/* __gmon_call_on(stack, function, data): calls function(data) on another stack. */
        FUNCTION HIDDEN, __gmon_call_on
        endbr64
        pushq   %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbp, 0
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        movq    %rdi, %rsp
        movq    %rdx, %rdi
        call    *%rsi
        leave
        .cfi_def_cfa %rsp, 8
        .cfi_restore %rbp
        ret
        END     __gmon_call_on

/* __gmon_syscall(a, b, c, d, e, f, number): what the kernel answers. */
        FUNCTION HIDDEN, __gmon_syscall
        endbr64
        movq    8(%rsp), %rax
        movq    %rcx, %r10
        syscall
        ret
        END     __gmon_syscall

/* __gmon_clone(flags, stack, entry): starts a thread that begins with entry() on an empty stack. */
        FUNCTION HIDDEN, __gmon_clone
        endbr64
        movq    %rdx, %r9
        xorl    %edx, %edx
        xorl    %r10d, %r10d
        xorl    %r8d, %r8d
        movl    $56, %eax               /* clone */
        syscall
        testq   %rax, %rax
        jz      1f
        ret
        .cfi_endproc
1:      .cfi_startproc
        .cfi_undefined %rip             /* the thread's first frame */
        xorl    %ebp, %ebp
        call    *%r9
        ud2
        END     __gmon_clone

/* __gmon_thread_pointer(): 0 before thread-local storage is set up. */
        FUNCTION HIDDEN, __gmon_thread_pointer
        endbr64
        movq    $0, -8(%rsp)
        movl    $0x1003, %edi           /* ARCH_GET_FS */
        leaq    -8(%rsp), %rsi
        movl    $158, %eax              /* arch_prctl */
        syscall
        movq    -8(%rsp), %rax
        ret
        END     __gmon_thread_pointer
        .popsection

/* A function in the place of name(file, argument..., NULL [, environment]), which calls one of Rust with
 * the arguments as an array. What came in registers is laid below what came on the stack, in place of the
 * return address, and the return address goes below it. */
        .macro  GMON_INSTEAD_LIST name, function, environment
        FUNCTION WEAK, \name
        endbr64
        popq    %r11
        .cfi_adjust_cfa_offset -8
        .cfi_register %rip, %r11
        pushq   %r9
        .cfi_adjust_cfa_offset 8
        pushq   %r8
        .cfi_adjust_cfa_offset 8
        pushq   %rcx
        .cfi_adjust_cfa_offset 8
        pushq   %rdx
        .cfi_adjust_cfa_offset 8
        pushq   %rsi
        .cfi_adjust_cfa_offset 8
        movq    %rsp, %rsi
        pushq   %r11
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rip, 0
        xorl    %edx, %edx
        .if     \environment
        ENVIRONMENT %rsi, %rax, %rdx
        .endif
        call    \function
        popq    %r11
        .cfi_adjust_cfa_offset -8
        .cfi_register %rip, %r11
        addq    $40, %rsp
        .cfi_adjust_cfa_offset -40
        pushq   %r11
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rip, 0
        ret
        END     \name
        .endm

        .pushsection .text.__gmon_instead, "ax", %progbits
/* clone(function, stack, flags, argument, parent_tid, tls, child_tid): as the C library's, but for what
 * comes after the function. The child finds function and argument on its stack. */
        FUNCTION WEAK, clone
        endbr64
        andq    $-16, %rsi
        jz      1f
        testq   %rdi, %rdi
        jz      1f
        movq    %rdi, -16(%rsi)
        movq    %rcx, -8(%rsi)
        subq    $16, %rsi
        movl    %edx, %edi              /* flags */
        movq    %r8, %rdx               /* parent_tid */
        movq    8(%rsp), %r10           /* child_tid */
        movq    %r9, %r8                /* tls */
        movl    $56, %eax
        syscall
        testq   %rax, %rax
        jz      2f
        js      3f
        ret
1:      movl    $22, %edi               /* EINVAL */
        jmp     __gmon_fail
3:      negl    %eax
        movl    %eax, %edi
        jmp     __gmon_fail
        .cfi_endproc
2:      .cfi_startproc
        .cfi_undefined %rip             /* the child's first frame */
        xorl    %ebp, %ebp
        popq    %rax
        popq    %rdi
        call    *%rax
        movl    %eax, %edi
        call    __gmon_clone_end
        hlt
        END     clone

        .popsection

        DORMANT_NOTE .Lgmon_fentry, .Lgmon_return
