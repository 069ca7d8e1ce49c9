/* dlclose(3) for SPARC of 32 and 64 bits: a member of its own of the archive, which a program has only if it refers to it and
 * does not define it itself; see runtime/src/linux/stacks/unload.rs.
 */

        .pushsection .text.__gmon_dlclose, "ax", %progbits
        FUNCTION GLOBAL, dlclose
        .cfi_register %o7, %g1
        mov     %o7, %g1
        call    __gmon_dlclose
        mov     %g1, %o7
        END     dlclose
        .popsection

        .pushsection .data.rel.ro.__gmon_dlclose, "aw", %progbits
        .balign 8
        .weak   dlsym
        OBJECT  GLOBAL, __gmon_dlsym
        .dc.a   dlsym
        SIZE    __gmon_dlsym
        .popsection
