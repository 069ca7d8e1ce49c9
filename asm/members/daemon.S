/* daemon(3): a member of its own of the archive, which a program has only if it refers to it and does not
 * define it itself. The C library's own would end the parent where nobody sees it; see
 * runtime/src/linux/ends/daemon.rs.
 */

        .pushsection .text.__gmon_daemon, "ax", %progbits
        FORWARD GLOBAL, daemon, __gmon_instead_daemon
        .popsection

/* Has a static program with daemon(3) contain the fork that the runtime looks for. */
        .pushsection .data.rel.ro.__gmon_daemon, "aw", %progbits
        .balign WORD
        .dc.a   fork
        .popsection
