/* Hooks of -finstrument-functions: a member of its own of the archive, which a program has only if its functions call
 * them and it does not define them itself.
 *
 *   __cyg_profile_func_enter(this_fn, call_site)   at every function's entry
 *   __cyg_profile_func_exit(this_fn, call_site)    before it returns: nothing to count, but a call may be timed
 *
 * Both are ordinary calls. this_fn is the function's first address, call_site the return address into
 * its caller; when the compiler has inlined the function, the one into the caller of the function it
 * was inlined into.
 */

        .pushsection .text.__gmon_cyg, "ax", %progbits

        FUNCTION GLOBAL, __cyg_profile_func_enter
        CYG_ENTER
        END     __cyg_profile_func_enter

        FUNCTION GLOBAL, __cyg_profile_func_exit
        CYG_EXIT
        END     __cyg_profile_func_exit
        .popsection
