/* Hooks of -finstrument-functions for 32-bit x86 (AT&T syntax): a member of its own of the archive, which a
 * program has only if its functions call them and it does not define them itself.
 *
 *   __cyg_profile_func_enter(this_fn, call_site)   at every function's entry
 *   __cyg_profile_func_exit(this_fn, call_site)    before it returns: nothing to count
 *
 * Both are ordinary calls; see asm/x86_64.cyg.S for what they get.
 */

        .pushsection .text.__gmon_cyg, "ax", %progbits

        FUNCTION GLOBAL, __cyg_profile_func_enter
        endbr32
        movl    4(%esp), %eax
        movl    8(%esp), %ecx
        movl    %ecx, 4(%esp)           /* frompc */
        movl    %eax, 8(%esp)           /* selfpc */
        jmp     __gmon_count@PLT
        END     __cyg_profile_func_enter

        EMPTY   GLOBAL, __cyg_profile_func_exit
        .popsection
