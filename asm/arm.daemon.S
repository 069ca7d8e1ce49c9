/* daemon(3) for 32-bit ARM: a member of its own of the archive, which a program has only if it refers to it and
 * does not define it itself. See asm/x86_64.daemon.S.
 */

        ARM_CODE

        .pushsection .text.__gmon_daemon, "ax", %progbits
        FUNCTION GLOBAL, daemon
        b       __gmon_daemon
        END     daemon
        .popsection

        DAEMON_FORK 4
