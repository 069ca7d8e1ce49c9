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
