/* dlclose(3) for 32-bit ARM: a member of its own of the archive, which a program has only if it refers to it and
 * does not define it itself; see runtime/src/linux/stacks/unload.rs.
 */

        .syntax unified
        .arch   armv7-a
        .arm
        .cfi_sections .debug_frame

        .pushsection .text.__gmon_dlclose, "ax", %progbits
        FUNCTION GLOBAL, dlclose
        b       __gmon_dlclose
        END     dlclose
        .popsection

        .pushsection .data.rel.ro.__gmon_dlclose, "aw", %progbits
        .balign 4
        .weak   dlsym
        OBJECT  GLOBAL, __gmon_dlsym
        .dc.a   dlsym
        SIZE    __gmon_dlsym
        .popsection
