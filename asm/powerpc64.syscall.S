/* syscall(2) for 64-bit PowerPC: a member of its own of the archive, which a program has only if it refers to it and
 * does not define it itself. See asm/x86_64.syscall.S.
 */

        .pushsection .text.__gmon_syscall, "ax", %progbits
        FUNCTION GLOBAL, syscall
        LANDING_PAD syscall
        .irp    number, 11, 234, 362            /* execve, exit_group, execveat */
        cmpdi   %r3, \number
        beq     1f
        .endr
        mr      %r0, %r3
        mr      %r3, %r4
        mr      %r4, %r5
        mr      %r5, %r6
        mr      %r6, %r7
        mr      %r7, %r8
        mr      %r8, %r9
        sc
        bnslr
        b       __gmon_fail
1:      b       __gmon_instead_syscall
        END     syscall
        .popsection
