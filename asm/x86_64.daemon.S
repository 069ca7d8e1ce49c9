/* daemon(3) for x86-64: a member of its own of the archive, which a program has only if it refers to it and
 * does not define it itself. The C library's own would end the parent where nobody sees it; see
 * runtime/src/linux/ends/daemon.rs.
 */

        .pushsection .text.__gmon_daemon, "ax", %progbits
        FUNCTION GLOBAL, daemon
        endbr64
        jmp     __gmon_daemon@plt
        END     daemon
        .popsection

        DAEMON_FORK 8

        BRANCH_TRACKING 8
