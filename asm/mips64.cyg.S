/* Hooks of -finstrument-functions for 64-bit MIPS: a member of its own of the archive, which a program has only if
 * its functions call them and it does not define them itself.
 *
 *   __cyg_profile_func_enter(this_fn, call_site)   at every function's entry
 *   __cyg_profile_func_exit(this_fn, call_site)    before it returns: nothing to count
 *
 * Both are ordinary calls; see asm/x86_64.cyg.S for what they get.
 */

        .pushsection .text.__gmon_cyg, "ax", %progbits

        FUNCTION GLOBAL, __cyg_profile_func_enter
        LANDING_PAD __cyg_profile_func_enter
        move    $3, $4
        move    $4, $5                  /* frompc */
        move    $5, $3                  /* selfpc */
        TAIL_CALL __gmon_count
        END     __cyg_profile_func_enter

        EMPTY   GLOBAL, __cyg_profile_func_exit
        .popsection
