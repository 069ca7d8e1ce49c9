/* What the other files are made of on x86 of both widths (AT&T syntax): see macros.S. */

        BRANCH_TRACKING

        .macro  LANDING_PAD name
        .if     WORD == 8
        endbr64
        .else
        endbr32
        .endif
        .endm

        .macro  TAIL_CALL function
        jmp     \function\()@PLT
        .endm

        .macro  GO_BACK
        ret
        .endm

/* \to = the environment, which stands behind the null at the end of a list; \place is lost. */
        .macro  ENVIRONMENT list, place, to
        mov     \list, \place
1:      add     $WORD, \place
        .if     WORD == 8
        cmpq    $0, -8(\place)
        .else
        cmpl    $0, -4(\place)
        .endif
        jne     1b
        mov     (\place), \to
        .endm

/* On 32 bits: keeps the registers that a system call takes arguments in and functions keep, and restores them. What the
 * caller left on the stack is 16 bytes further up meanwhile. */
        .macro  KEEP
        .irp    register, %ebx, %esi, %edi, %ebp
        pushl   \register
        .cfi_adjust_cfa_offset 4
        .cfi_rel_offset \register, 0
        .endr
        .endm

        .macro  RESTORE
        .irp    register, %ebp, %edi, %esi, %ebx
        popl    \register
        .cfi_adjust_cfa_offset -4
        .cfi_restore \register
        .endr
        .endm

/* On 32 bits: makes the system call %eax; its first argument lies so many bytes up the stack, the others behind it. */
        .macro  SYSTEM_CALL first
        KEEP
        movl    16+\first(%esp), %ebx
        movl    20+\first(%esp), %ecx
        movl    24+\first(%esp), %edx
        movl    28+\first(%esp), %esi
        movl    32+\first(%esp), %edi
        movl    36+\first(%esp), %ebp
        int     $0x80
        RESTORE
        .endm

/* Where the C library's syscall is, if there is one to go on to. */
        .macro  NEXT_SYSCALL
        .pushsection .bss.__gmon_syscall, "aw", %nobits
        .balign WORD
        OBJECT  GLOBAL, __gmon_next_syscall
        .zero   WORD
        SIZE    __gmon_next_syscall
        .popsection
        .endm

/* The members of the archive. */
        .purgem CYG_ENTER
        .purgem CYG_EXIT
        .if     WORD == 8
        .macro  CYG_ENTER
        endbr64
        xchgq   %rdi, %rsi                              /* frompc, selfpc */
        jmp     __gmon_enter@plt
        .endm

        .macro  CYG_EXIT
        endbr64
        jmp     __gmon_leave@plt
        .endm

        .macro  BB_INIT
        endbr64
        leaq    __bb_head_here(%rip), %rsi
        jmp     __gmon_unit@plt
        .endm

        .macro  TRACE_PC
        endbr64
        movq    (%rsp), %rsi
        decq    %rsi                                    /* selfpc */
        movq    $-1, %rdi                            /* frompc */
        jmp     __gmon_count@plt
        .endm

        .macro  TRACE_PC_GUARD
        endbr64
        movslq  (%rdi), %rsi
        testq   %rsi, %rsi
        jz      1f
        addq    %rdi, %rsi                              /* selfpc */
        movq    $-1, %rdi                            /* frompc */
        jmp     __gmon_count@plt
1:      movq    (%rsp), %rsi
        decq    %rsi
        movq    $-1, %rdi
        jmp     __gmon_count@plt
        .endm

        .macro  MAKE_SYSCALL
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
        NEXT_SYSCALL
        .endm

        .else

        .macro  CYG_TIMED function
        endbr32
        movl    %esp, %edx
        subl    $8, %esp                /* which is a multiple of 16 at calls */
        pushl   (%edx)
        pushl   %ebp
        pushl   %edx
        pushl   4(%edx)                 /* selfpc */
        pushl   8(%edx)                 /* frompc */
        .cfi_adjust_cfa_offset 28
        call    \function\()@PLT
        addl    $28, %esp
        .cfi_adjust_cfa_offset -28
        ret
        .endm

        .macro  CYG_ENTER
        CYG_TIMED __gmon_enter
        .endm

        .macro  CYG_EXIT
        CYG_TIMED __gmon_leave
        .endm

        .macro  BB_INIT
        endbr32
        call    1f
        .cfi_adjust_cfa_offset 4
1:      popl    %eax
        .cfi_adjust_cfa_offset -4
        addl    $__bb_head_here - 1b, %eax
        movl    4(%esp), %ecx
        pushl   %eax
        pushl   %eax
        pushl   %ecx
        .cfi_adjust_cfa_offset 12
        call    __gmon_unit@PLT
        addl    $12, %esp
        .cfi_adjust_cfa_offset -12
        ret
        .endm

/* Counts the block at %eax, and returns. */
        .macro  GMON_BLOCK
        pushl   %eax
        .cfi_adjust_cfa_offset 4
        pushl   %eax                    /* selfpc */
        .cfi_adjust_cfa_offset 4
        pushl   $-1                     /* frompc: a block */
        .cfi_adjust_cfa_offset 4
        call    __gmon_count@PLT
        addl    $12, %esp
        .cfi_adjust_cfa_offset -12
        ret
        .endm

        .macro  TRACE_PC
        endbr32
        movl    (%esp), %eax
        decl    %eax
        GMON_BLOCK
        .endm

        .macro  TRACE_PC_GUARD
        endbr32
        movl    4(%esp), %ecx
        movl    (%ecx), %eax
        testl   %eax, %eax
        jz      1f
        addl    %ecx, %eax
        GMON_BLOCK
1:      movl    (%esp), %eax            /* where the guard knows none */
        decl    %eax
        GMON_BLOCK
        .endm

        .macro  MAKE_SYSCALL
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
        NEXT_SYSCALL
        .endm

        .endif
