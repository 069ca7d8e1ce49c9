/* The contract of old gcc's -a for 64-bit RISC-V: a member of its own of the archive, which a program has only
 * if it refers to these names and does not define them itself. See asm/x86_64.bb.S for what they are.
 */

        .pushsection .text.__gmon_bb, "ax", %progbits

        .balign 16
        .globl  __bb_init_func
        .type   __bb_init_func, %function
__bb_init_func:
        .cfi_startproc
        lla     a1, __bb_head_here
        tail    __gmon_unit
        .cfi_endproc
        .size   __bb_init_func, . - __bb_init_func

        .balign 16
        .globl  __bb_exit_func
        .type   __bb_exit_func, %function
__bb_exit_func:
        .cfi_startproc
        tail    _mcleanup
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

        .pushsection .note.GNU-stack, "", %progbits
        .popsection
