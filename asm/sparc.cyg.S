/* Hooks of -finstrument-functions for SPARC of 32 and 64 bits: a member of its own of the archive, which
 * a program has only if its functions call them and it does not define them itself.
 *
 *   __cyg_profile_func_enter(this_fn, call_site)   at every function's entry
 *   __cyg_profile_func_exit(this_fn, call_site)    before it returns: nothing to count
 *
 * Both are ordinary calls. this_fn is the function's first address, call_site where it returns to, two
 * instructions behind the call.
 */

        .pushsection .text.__gmon_cyg, "ax", %progbits

        FUNCTION GLOBAL, __cyg_profile_func_enter
        mov     %o7, %g1
        .cfi_register %o7, %g1
        mov     %o0, %o2
        sub     %o1, 8, %o0             /* frompc */
        mov     %o2, %o1                /* selfpc */
        call    __gmon_count
        mov     %g1, %o7
        END     __cyg_profile_func_enter

        EMPTY   GLOBAL, __cyg_profile_func_exit
        .popsection
