/* syscall(2) for 32-bit ARM: a member of its own of the archive, which a program has only if it refers to it and
 * does not define it itself. See asm/x86_64.syscall.S.
 */

        .pushsection .text.__gmon_syscall, "ax", %progbits
        FUNCTION GLOBAL, syscall
        sub     ip, r0, #384
        cmp     ip, #3                  /* execveat is 387 */
        cmpne   r0, #11                 /* execve */
        cmpne   r0, #248                /* exit_group */
        beq     1f
        KEEP
        mov     r7, r0
        mov     r0, r1
        mov     r1, r2
        mov     r2, r3
        ldr     r3, [sp, #16]
        ldr     r4, [sp, #20]
        ldr     r5, [sp, #24]
        svc     #0
        RESTORE
        cmn     r0, #4096
        bxls    lr
        rsb     r0, r0, #0
        b       __gmon_fail
1:      b       __gmon_instead_syscall
        END     syscall
        .popsection
