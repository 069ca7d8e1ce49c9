/* daemon(3) for SPARC of 32 and 64 bits: a member of its own of the archive, which a program has only if it
 * refers to it and does not define it itself. See asm/x86_64.daemon.S.
 */

        .pushsection .text.__gmon_daemon, "ax", %progbits
        FUNCTION GLOBAL, daemon
        .cfi_register %o7, %g1
        mov     %o7, %g1
        call    __gmon_daemon
        mov     %g1, %o7
        END     daemon
        .popsection

        DAEMON_FORK 8
