/* dlclose(3) for 32-bit ARM: a member of its own of the archive, which a program has only if it refers to
 * it and does not define it itself; see runtime/src/linux/stacks/unload.rs.
 */

        ARM_CODE

        .pushsection .text.__gmon_dlclose, "ax", %progbits
        FUNCTION GLOBAL, dlclose
        b       __gmon_dlclose
        END     dlclose
        .popsection

        DLCLOSE_DLSYM 4
