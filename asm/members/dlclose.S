/* dlclose(3): a member of its own of the archive, which a program has only if it refers to it and does not
 * define it itself; see runtime/src/linux/ends/dlclose.rs.
 */

        .pushsection .text.__gmon_dlclose, "ax", %progbits
        FORWARD GLOBAL, dlclose, __gmon_instead_dlclose
        .popsection

/* Has a program with dlclose(3) contain dlsym, by which the runtime finds the C library's own. In no other
 * member, so that no program asks for it needlessly. */
        .pushsection .data.rel.ro.__gmon_dlclose, "aw", %progbits
        .balign WORD
        .weak   dlsym
        OBJECT  GLOBAL, __gmon_dlsym
        .dc.a   dlsym
        SIZE    __gmon_dlsym
        .popsection
