/* syscall(2) for 32-bit x86 (AT&T syntax): a member of its own of the archive, which a program has only if
 * it refers to it and does not define it itself. See asm/x86_64.syscall.S.
 */

        .pushsection .text.__gmon_syscall, "ax", %progbits
        FUNCTION GLOBAL, syscall
        endbr32
        movl    4(%esp), %eax
        .irp    number, 11, 252, 358            /* execve, exit_group, execveat */
        cmpl    $\number, %eax
        je      1f
        .endr
        call    4f
        .cfi_adjust_cfa_offset 4
4:      popl    %ecx
        .cfi_adjust_cfa_offset -4
        movl    __gmon_next_syscall-4b(%ecx), %ecx
        testl   %ecx, %ecx
        jz      3f
        jmp     *%ecx
3:      SYSTEM_CALL 8
        cmpl    $-4095, %eax
        jae     2f
        ret
1:      jmp     __gmon_instead_syscall@PLT
2:      negl    %eax
        subl    $8, %esp
        .cfi_adjust_cfa_offset 8
        pushl   %eax
        .cfi_adjust_cfa_offset 4
        call    __gmon_fail@PLT
        addl    $12, %esp
        .cfi_adjust_cfa_offset -12
        ret
        END     syscall
        .popsection

        .pushsection .bss.__gmon_syscall, "aw", %nobits
        .balign WORD
        OBJECT  GLOBAL, __gmon_next_syscall
        .zero   WORD
        SIZE    __gmon_next_syscall
        .popsection
