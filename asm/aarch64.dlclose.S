/* dlclose(3) for AArch64: a member of its own of the archive, which a program has only if it refers to it and
 * does not define it itself; see runtime/src/linux/stacks/unload.rs.
 */

        .pushsection .text.__gmon_dlclose, "ax", %progbits
        FUNCTION GLOBAL, dlclose
        hint    #34                     /* bti c */
        b       __gmon_dlclose
        END     dlclose
        .popsection

        .pushsection .data.rel.ro.__gmon_dlclose, "aw", %progbits
        .balign 8
        .weak   dlsym
        OBJECT  GLOBAL, __gmon_dlsym
        .dc.a   dlsym
        SIZE    __gmon_dlsym
        .popsection
