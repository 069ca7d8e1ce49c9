/* dlclose(3) for x86-64: a member of its own of the archive, which a program has only if it refers to it and
 * does not define it itself; see runtime/src/linux/stacks/unload.rs.
 */

        .pushsection .text.__gmon_dlclose, "ax", %progbits
        FUNCTION GLOBAL, dlclose
        endbr64
        jmp     __gmon_dlclose@plt
        END     dlclose
        .popsection

/* By what the runtime finds the C library's own: in no other member, so that no program asks for it needlessly. */
        .pushsection .data.rel.ro.__gmon_dlclose, "aw", %progbits
        .balign 8
        .weak   dlsym
        OBJECT  GLOBAL, __gmon_dlsym
        .dc.a   dlsym
        SIZE    __gmon_dlsym
        .popsection

        BRANCH_TRACKING 8
