/* The contract of old gcc's -a for x86-64 (AT&T syntax): a member of its own of the archive, which a program
 * has only if it refers to these names and does not define them itself.
 *
 *   __bb_init_func(unit)  by every function of a unit of compilation whose first word is still zero
 *   __bb_head             the units that called it, by their links
 *   __bb_exit_func()      writes the counts
 *
 * The code counts in its units on its own; the runtime (runtime/src/units.rs) only reads them.
 */

        .pushsection .text.__gmon_bb, "ax", %progbits

        .balign 16
        .globl  __bb_init_func
        .type   __bb_init_func, %function
__bb_init_func:
        .cfi_startproc
        endbr64
        leaq    __bb_head_here(%rip), %rsi
        jmp     __gmon_unit@plt
        .cfi_endproc
        .size   __bb_init_func, . - __bb_init_func

        .balign 16
        .globl  __bb_exit_func
        .type   __bb_exit_func, %function
__bb_exit_func:
        .cfi_startproc
        endbr64
        jmp     _mcleanup@plt
        .cfi_endproc
        .size   __bb_exit_func, . - __bb_exit_func
        .popsection

        .pushsection .bss.__gmon_bb, "aw", %nobits
        .balign 8
        .globl  __bb_head
        .type   __bb_head, %object
__bb_head:
__bb_head_here:
        .zero   8
        .size   __bb_head, . - __bb_head
        .popsection

/* As in the other files: without it the linker clears branch tracking and shadow stacks. */
        .pushsection .note.gnu.property, "a", %note
        .balign 8
        .long   4, 16, 5
        .asciz  "GNU"
        .long   0xc0000002, 4, 3, 0
        .popsection

        .pushsection .note.GNU-stack, "", %progbits
        .popsection
