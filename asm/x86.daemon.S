/* daemon(3) for 32-bit x86 (AT&T syntax): a member of its own of the archive, which a program has only if it refers to it and
 * does not define it itself. See asm/x86_64.daemon.S.
 */

        .pushsection .text.__gmon_daemon, "ax", %progbits
        FUNCTION GLOBAL, daemon
        endbr32
        jmp     __gmon_daemon@PLT
        END     daemon
        .popsection

        .pushsection .data.rel.ro.__gmon_daemon, "aw", %progbits
        .balign 4
        .dc.a   fork
        .popsection

        BRANCH_TRACKING 4
