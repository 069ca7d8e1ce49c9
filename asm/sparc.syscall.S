/* syscall(2) for SPARC of 32 and 64 bits: a member of its own of the archive, which a program has only if it refers
 * to it and does not define it itself. See asm/x86_64.syscall.S.
 */

        .pushsection .text.__gmon_syscall, "ax", %progbits
        FUNCTION GLOBAL, syscall
        .irp    number, 59, 188, 350            /* execve, exit_group, execveat */
        cmp     %o0, \number
        IF_EQUAL 1f
        nop
        .endr
        mov     %o0, %g1
        mov     %o1, %o0
        mov     %o2, %o1
        mov     %o3, %o2
        mov     %o4, %o3
        mov     %o5, %o4
        LOAD    [%sp+ARGUMENTS], %o5
        TRAP
        IF_FAILED 2f
        nop
        retl
        nop
1:      mov     %o7, %g1
        call    __gmon_instead_syscall
        mov     %g1, %o7
2:      mov     %o7, %g1
        call    __gmon_fail
        mov     %g1, %o7
        END     syscall
        .popsection
