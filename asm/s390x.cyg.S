/* Hooks of -finstrument-functions for IBM Z in 64 bits: a member of its own of the archive, which a program has
 * only if its functions call them and it does not define them itself.
 *
 *   __cyg_profile_func_enter(this_fn, call_site)   at every function's entry
 *   __cyg_profile_func_exit(this_fn, call_site)    before it returns: nothing to count
 *
 * Both are ordinary calls; see asm/x86_64.cyg.S for what they get.
 */

        .pushsection .text.__gmon_cyg, "ax", %progbits

        FUNCTION GLOBAL, __cyg_profile_func_enter
        lgr     %r1, %r2
        lgr     %r2, %r3                /* frompc */
        lgr     %r3, %r1                /* selfpc */
        TAIL_CALL __gmon_count
        END     __cyg_profile_func_enter

        EMPTY   GLOBAL, __cyg_profile_func_exit
        .popsection
