/* daemon(3) for 64-bit RISC-V: a member of its own of the archive, which a program has only if it refers to it and
 * does not define it itself. See asm/x86_64.daemon.S.
 */

        .pushsection .text.__gmon_daemon, "ax", %progbits
        FUNCTION GLOBAL, daemon
        tail    __gmon_daemon
        END     daemon
        .popsection

        DAEMON_FORK 8
