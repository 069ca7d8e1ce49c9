/* The contract of old gcc's -a for AArch64: a member of its own of the archive, which a program has only
 * if it refers to these names and does not define them itself. See asm/x86_64.bb.S for what they are.
 */

        .pushsection .text.__gmon_bb, "ax", %progbits

        FUNCTION GLOBAL, __bb_init_func
        hint    #34                     /* bti c */
        adrp    x1, __bb_head_here
        add     x1, x1, #:lo12:__bb_head_here
        b       __gmon_unit
        END     __bb_init_func

        FORWARD GLOBAL, __bb_exit_func, _mcleanup
        .popsection

        BB_HEAD
