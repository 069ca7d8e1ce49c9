/* dlclose(3) for 32-bit x86 (AT&T syntax): a member of its own of the archive, which a program has only if
 * it refers to it and does not define it itself; see runtime/src/linux/stacks/unload.rs.
 */

        .pushsection .text.__gmon_dlclose, "ax", %progbits
        FUNCTION GLOBAL, dlclose
        endbr32
        jmp     __gmon_dlclose@PLT
        END     dlclose
        .popsection

        DLCLOSE_DLSYM 4

        BRANCH_TRACKING 4
