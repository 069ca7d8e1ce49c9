/* syscall(2) for AArch64: a member of its own of the archive, which a program has only if it refers to it and
 * does not define it itself. See asm/x86_64.syscall.S.
 */

        .pushsection .text.__gmon_syscall, "ax", %progbits
        FUNCTION GLOBAL, syscall
        hint    #34                     /* bti c */
        .irp    number, 94, 221, 281            /* exit_group, execve, execveat */
        cmp     x0, #\number
        b.eq    1f
        .endr
        mov     x8, x0
        mov     x0, x1
        mov     x1, x2
        mov     x2, x3
        mov     x3, x4
        mov     x4, x5
        mov     x5, x6
        svc     #0
        cmn     x0, #4095
        b.cs    2f
        ret
1:      b       __gmon_instead_syscall
2:      neg     w0, w0
        b       __gmon_fail
        END     syscall
        .popsection
