/* Hooks of -finstrument-functions for x86-64 (AT&T syntax): a member of its own of the archive, which a
 * program has only if its functions call them and it does not define them itself.
 *
 *   __cyg_profile_func_enter(this_fn, call_site)   at every function's entry
 *   __cyg_profile_func_exit(this_fn, call_site)    before it returns: nothing to count
 *
 * Both are ordinary calls. this_fn is the function's first address, call_site the return address into
 * its caller; when the compiler has inlined the function, the one into the caller of the function it
 * was inlined into.
 */

        .pushsection .text.__gmon_cyg, "ax", %progbits

        .balign 16
        .globl  __cyg_profile_func_enter
        .type   __cyg_profile_func_enter, %function
__cyg_profile_func_enter:
        .cfi_startproc
        endbr64
        xchgq   %rdi, %rsi                              /* frompc, selfpc */
        jmp     __gmon_count@plt
        .cfi_endproc
        .size   __cyg_profile_func_enter, . - __cyg_profile_func_enter

        .balign 16
        .globl  __cyg_profile_func_exit
        .type   __cyg_profile_func_exit, %function
__cyg_profile_func_exit:
        .cfi_startproc
        endbr64
        ret
        .cfi_endproc
        .size   __cyg_profile_func_exit, . - __cyg_profile_func_exit
        .popsection

/* As in the other file: without it the linker clears branch tracking and shadow stacks. */
        .pushsection .note.gnu.property, "a", %note
        .balign 8
        .long   4, 16, 5
        .asciz  "GNU"
        .long   0xc0000002, 4, 3, 0
        .popsection

        .pushsection .note.GNU-stack, "", %progbits
        .popsection
