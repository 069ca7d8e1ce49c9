/* Hooks of -finstrument-functions for 64-bit RISC-V: a member of its own of the archive, which a program has
 * only if its functions call them and it does not define them itself.
 *
 *   __cyg_profile_func_enter(this_fn, call_site)   at every function's entry
 *   __cyg_profile_func_exit(this_fn, call_site)    before it returns: nothing to count
 *
 * Both are ordinary calls; see asm/x86_64.cyg.S for what they get.
 */

        .pushsection .text.__gmon_cyg, "ax", %progbits

        .balign 16
        .globl  __cyg_profile_func_enter
        .type   __cyg_profile_func_enter, %function
__cyg_profile_func_enter:
        .cfi_startproc
        mv      a2, a0
        /* frompc */
        mv      a0, a1
        /* selfpc */
        mv      a1, a2
        tail    __gmon_count
        .cfi_endproc
        .size   __cyg_profile_func_enter, . - __cyg_profile_func_enter

        .balign 16
        .globl  __cyg_profile_func_exit
        .type   __cyg_profile_func_exit, %function
__cyg_profile_func_exit:
        .cfi_startproc
        ret
        .cfi_endproc
        .size   __cyg_profile_func_exit, . - __cyg_profile_func_exit
        .popsection

        .pushsection .note.GNU-stack, "", %progbits
        .popsection
