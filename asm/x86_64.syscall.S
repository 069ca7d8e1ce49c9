/* syscall(2) for x86-64 (AT&T syntax): a member of its own of the archive, which a program has only if it refers
 * to it and does not define it itself.
 *
 *   syscall(number, a, b, c, d, e, f)   what the kernel answers, or -1 and errno
 *
 * System calls that end or replace the program go to the runtime (runtime/src/linux/ends/system_call.rs). All
 * others go on to the C library's function, once its address is known: a program may have the kernel look where
 * system calls come from (PR_SET_SYSCALL_USER_DISPATCH, which only x86 has had for long). Else they are made right
 * here, as in the C library: without a frame, so that also those can return twice or on another stack that do.
 */

        .pushsection .text.__gmon_syscall, "ax", %progbits
        FUNCTION GLOBAL, syscall
        endbr64
        .irp    number, 59, 231, 322            /* execve, exit_group, execveat */
        cmpq    $\number, %rdi
        je      1f
        .endr
        movq    __gmon_next_syscall(%rip), %rax
        testq   %rax, %rax
        jz      3f
        jmp     *%rax
3:      movq    %rdi, %rax
        movq    %rsi, %rdi
        movq    %rdx, %rsi
        movq    %rcx, %rdx
        movq    %r8, %r10
        movq    %r9, %r8
        movq    8(%rsp), %r9
        syscall
        cmpq    $-4095, %rax
        jae     2f
        ret
1:      jmp     __gmon_instead_syscall@plt
2:      negl    %eax
        movl    %eax, %edi
        jmp     __gmon_fail@plt
        END     syscall
        .popsection

/* Where the C library's own is, if there is one to go on to. */
        .pushsection .bss.__gmon_syscall, "aw", %nobits
        .balign WORD
        OBJECT  GLOBAL, __gmon_next_syscall
        .zero   WORD
        SIZE    __gmon_next_syscall
        .popsection
