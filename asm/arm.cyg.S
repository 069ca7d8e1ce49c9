/* Hooks of -finstrument-functions for 32-bit ARM: a member of its own of the archive, which a program has
 * only if its functions call them and it does not define them itself.
 *
 *   __cyg_profile_func_enter(this_fn, call_site)   at every function's entry
 *   __cyg_profile_func_exit(this_fn, call_site)    before it returns: nothing to count
 *
 * Both are ordinary calls; see asm/x86_64.cyg.S for what they get. Of Thumb code both are odd.
 */

        .pushsection .text.__gmon_cyg, "ax", %progbits

        FUNCTION GLOBAL, __cyg_profile_func_enter
        bic     r2, r0, #1
        bic     r0, r1, #1              /* frompc */
        mov     r1, r2                  /* selfpc */
        b       __gmon_count
        END     __cyg_profile_func_enter

        EMPTY   GLOBAL, __cyg_profile_func_exit
        .popsection
