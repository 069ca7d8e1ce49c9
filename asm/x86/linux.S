/* What the runtime needs of Linux and its C library on 32-bit x86: system calls, threads, another stack,
 * and functions in the place of the C library's.
 */

        .set    PAGE, 4096

        .pushsection .text.__gmon_hooks, "ax", %progbits

/* __gmon_thread_pointer(): 0 before thread-local storage is set up. */
        FUNCTION HIDDEN, __gmon_thread_pointer
        endbr32
        movl    %gs, %eax
        testw   %ax, %ax
        jz      1f
        movl    %gs:0, %eax
1:      ret
        END     __gmon_thread_pointer

/* __gmon_call_on(stack, function, data): calls function(data) on another stack. */
        FUNCTION HIDDEN, __gmon_call_on
        endbr32
        pushl   %ebp
        .cfi_adjust_cfa_offset 4
        .cfi_rel_offset %ebp, 0
        movl    %esp, %ebp
        .cfi_def_cfa_register %ebp
        movl    8(%ebp), %esp
        subl    $16, %esp
        movl    16(%ebp), %eax
        movl    %eax, 0(%esp)
        call    *12(%ebp)
        leave
        .cfi_def_cfa %esp, 4
        .cfi_restore %ebp
        ret
        END     __gmon_call_on

/* __gmon_syscall(a, b, c, d, e, f, number): what the kernel answers. */
        FUNCTION HIDDEN, __gmon_syscall
        endbr32
        movl    28(%esp), %eax
        SYSTEM_CALL 4
        ret
        END     __gmon_syscall

/* __gmon_clone(flags, stack, entry): starts a thread that begins with entry() on an empty stack. */
        FUNCTION HIDDEN, __gmon_clone
        endbr32
        KEEP
        movl    20(%esp), %ebx
        movl    24(%esp), %ecx
        movl    28(%esp), %ebp
        xorl    %edx, %edx
        xorl    %esi, %esi
        xorl    %edi, %edi
        movl    $120, %eax              /* clone */
        int     $0x80
        testl   %eax, %eax
        jz      1f
        RESTORE
        ret
        .cfi_endproc
1:      .cfi_startproc
        .cfi_undefined %eip             /* the thread's first frame */
        movl    %ebp, %eax
        xorl    %ebp, %ebp
        call    *%eax
        ud2
        END     __gmon_clone
        .popsection

/* Calls a function with three words that were pushed. */
        .macro  GMON_CALL function
        .cfi_adjust_cfa_offset 12
        call    \function
        addl    $12, %esp
        .cfi_adjust_cfa_offset -12
        ret
        .endm

/* A function in the place of name(file, argument..., NULL [, environment]), which calls one of Rust with
 * the arguments as an array, as they lie on the stack. */
        .macro  GMON_INSTEAD_LIST name, function, environment
        FUNCTION WEAK, \name
        endbr32
        leal    8(%esp), %eax
        movl    4(%esp), %ecx
        xorl    %edx, %edx
        .if     \environment
        ENVIRONMENT %eax, %edx, %edx
        .endif
        pushl   %edx
        pushl   %eax
        pushl   %ecx
        GMON_CALL \function
        END     \name
        .endm

        .pushsection .text.__gmon_instead, "ax", %progbits
/* clone(function, stack, flags, argument, parent_tid, tls, child_tid): as the C library's, but for what
 * comes after the function. The child finds argument and function on its stack. */
        FUNCTION WEAK, clone
        endbr32
        movl    8(%esp), %ecx
        andl    $-16, %ecx
        jz      1f
        movl    4(%esp), %eax
        testl   %eax, %eax
        jz      1f
        movl    16(%esp), %edx
        subl    $16, %ecx
        movl    %edx, 0(%ecx)
        movl    %eax, 4(%ecx)
        KEEP
        movl    28(%esp), %ebx          /* flags */
        movl    36(%esp), %edx          /* parent_tid */
        movl    40(%esp), %esi          /* tls */
        movl    44(%esp), %edi          /* child_tid */
        movl    $120, %eax
        int     $0x80
        testl   %eax, %eax
        jz      2f
        RESTORE
        js      3f
        ret
1:      movl    $-22, %eax              /* EINVAL */
3:      negl    %eax
        pushl   $0
        pushl   $0
        pushl   %eax
        GMON_CALL __gmon_fail
        .cfi_endproc
2:      .cfi_startproc
        .cfi_undefined %eip             /* the child's first frame */
        xorl    %ebp, %ebp
        call    *4(%esp)
        movl    %eax, 0(%esp)
        call    __gmon_clone_end
        hlt
        END     clone
        .popsection
