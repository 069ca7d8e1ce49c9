/* dlclose(3) for 64-bit RISC-V: a member of its own of the archive, which a program has only if it refers
 * to it and does not define it itself; see runtime/src/linux/stacks/unload.rs.
 */

        .pushsection .text.__gmon_dlclose, "ax", %progbits
        FUNCTION GLOBAL, dlclose
        tail    __gmon_dlclose
        END     dlclose
        .popsection

        DLCLOSE_DLSYM 8
