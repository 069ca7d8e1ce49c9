/* Hooks of -finstrument-functions for Cortex-M: a member of its own of the archive, which a program has only if
 * its functions call them and it does not define them itself. See asm/thumbv6m.macros.S for the
 * instructions.
 *
 *   __cyg_profile_func_enter(this_fn, call_site)   at every function's entry
 *   __cyg_profile_func_exit(this_fn, call_site)    before it returns: nothing to count
 *
 * Both are ordinary calls; see asm/x86_64.cyg.S for what they get. Both addresses are odd.
 */

        .pushsection .text.__gmon_cyg, "ax", %progbits

        FUNCTION GLOBAL, __cyg_profile_func_enter
        subs    r2, r0, #1
        subs    r0, r1, #1              /* frompc */
        mov     r1, r2                  /* selfpc */
        TAIL_CALL __gmon_count
        END     __cyg_profile_func_enter

        EMPTY   GLOBAL, __cyg_profile_func_exit
        .popsection
