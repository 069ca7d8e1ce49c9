/* dlclose(3) for x86-64: a member of its own of the archive, which a program has only if it refers to it
 * and does not define it itself; see runtime/src/linux/stacks/unload.rs.
 */

        .pushsection .text.__gmon_dlclose, "ax", %progbits
        FUNCTION GLOBAL, dlclose
        endbr64
        jmp     __gmon_dlclose@plt
        END     dlclose
        .popsection

        DLCLOSE_DLSYM 8

        BRANCH_TRACKING 8
