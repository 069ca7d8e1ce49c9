/* daemon(3) for 32-bit x86 (AT&T syntax): a member of its own of the archive, which a program has only if
 * it refers to it and does not define it itself. See asm/x86_64.daemon.S.
 */

        .pushsection .text.__gmon_daemon, "ax", %progbits
        FUNCTION GLOBAL, daemon
        endbr32
        jmp     __gmon_daemon@PLT
        END     daemon
        .popsection

        DAEMON_FORK 4

        BRANCH_TRACKING 4
