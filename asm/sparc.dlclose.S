/* dlclose(3) for SPARC of 32 and 64 bits: a member of its own of the archive, which a program has only if
 * it refers to it and does not define it itself; see runtime/src/linux/stacks/unload.rs.
 */

        .pushsection .text.__gmon_dlclose, "ax", %progbits
        FUNCTION GLOBAL, dlclose
        .cfi_register %o7, %g1
        mov     %o7, %g1
        call    __gmon_dlclose
        mov     %g1, %o7
        END     dlclose
        .popsection

        DLCLOSE_DLSYM 8
