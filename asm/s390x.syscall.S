/* syscall(2) for IBM Z in 64 bits: a member of its own of the archive, which a program has only if it refers to it
 * and does not define it itself. See asm/x86_64.syscall.S.
 */

/* Where a function may save %r6 and %r7, and where arguments that are not in registers begin. */
        .set    SAVED_R6, 48
        .set    ARGUMENTS, 160

        .pushsection .text.__gmon_syscall, "ax", %progbits
        FUNCTION GLOBAL, syscall
        .irp    number, 11, 248, 354            /* execve, exit_group, execveat */
        cghi    %r2, \number
        je      1f
        .endr
        stmg    %r6, %r7, SAVED_R6(%r15)
        .cfi_offset %r6, SAVED_R6 - 160
        .cfi_offset %r7, SAVED_R6 + 8 - 160
        lgr     %r1, %r2
        lgr     %r2, %r3
        lgr     %r3, %r4
        lgr     %r4, %r5
        lgr     %r5, %r6
        lg      %r6, ARGUMENTS(%r15)
        lg      %r7, ARGUMENTS+8(%r15)
        svc     0
        lmg     %r6, %r7, SAVED_R6(%r15)
        .cfi_restore %r6
        .cfi_restore %r7
        lghi    %r1, -4096
        clgr    %r2, %r1
        jh      2f
        br      %r14
1:      TAIL_CALL __gmon_instead_syscall
2:      lcgr    %r2, %r2
        TAIL_CALL __gmon_fail
        END     syscall
        .popsection
