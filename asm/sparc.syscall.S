/* syscall(2) for 32-bit SPARC: a member of its own of the archive, which a program has only if it refers to it and
 * does not define it itself. See asm/x86_64.syscall.S.
 */

        .pushsection .text.__gmon_syscall, "ax", %progbits
        FUNCTION GLOBAL, syscall
        .irp    number, 59, 188, 350            /* execve, exit_group, execveat */
        cmp     %o0, \number
        be      1f
        nop
        .endr
        mov     %o0, %g1
        mov     %o1, %o0
        mov     %o2, %o1
        mov     %o3, %o2
        mov     %o4, %o3
        mov     %o5, %o4
        ld      [%sp+92], %o5
        ta      0x10
        bcs     2f
        nop
        retl
        nop
1:      mov     %o7, %g1
        call    __gmon_system_call
        mov     %g1, %o7
2:      mov     %o7, %g1
        call    __gmon_fail
        mov     %g1, %o7
        END     syscall
        .popsection
