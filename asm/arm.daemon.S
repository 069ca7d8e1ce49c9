/* daemon(3) for 32-bit ARM: a member of its own of the archive, which a program has only if it refers to it and
 * does not define it itself. See asm/x86_64.daemon.S.
 */

        .syntax unified
        .arch   armv7-a
        .arm
        .cfi_sections .debug_frame

        .pushsection .text.__gmon_daemon, "ax", %progbits
        FUNCTION GLOBAL, daemon
        b       __gmon_daemon
        END     daemon
        .popsection

        .pushsection .data.rel.ro.__gmon_daemon, "aw", %progbits
        .balign 4
        .dc.a   fork
        .popsection
