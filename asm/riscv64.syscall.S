/* syscall(2) for 64-bit RISC-V: a member of its own of the archive, which a program has only if it refers to it and
 * does not define it itself. See asm/x86_64.syscall.S.
 */

        .pushsection .text.__gmon_syscall, "ax", %progbits
        FUNCTION GLOBAL, syscall
        /* exit_group, execve, execveat */
        .irp    number, 94, 221, 281
        li      t0, \number
        beq     a0, t0, 1f
        .endr
        mv      a7, a0
        mv      a0, a1
        mv      a1, a2
        mv      a2, a3
        mv      a3, a4
        mv      a4, a5
        mv      a5, a6
        ecall
        li      t0, -4096
        bgtu    a0, t0, 2f
        ret
1:      tail    __gmon_instead_syscall
2:      negw    a0, a0
        tail    __gmon_fail
        END     syscall
        .popsection
