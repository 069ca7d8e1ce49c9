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

/* Has a static program contain the fork that the runtime looks for. */
        .pushsection .data.rel.ro.__gmon_daemon, "aw", %progbits
        .balign 8
        .dc.a   fork
        .popsection

        BRANCH_TRACKING 8
