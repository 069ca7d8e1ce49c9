/* The contract of old gcc's -a for 64-bit MIPS: a member of its own of the archive, which a program has only if it
 * refers to these names and does not define them itself. See asm/x86_64.bb.S for what they are.
 */

        .pushsection .text.__gmon_bb, "ax", %progbits

        FUNCTION GLOBAL, __bb_init_func
        LANDING_PAD __bb_init_func
        ld      $5, %got_disp(__bb_head_here)($24)
        TAIL_CALL __gmon_unit
        END     __bb_init_func

        FORWARD GLOBAL, __bb_exit_func, _mcleanup
        .popsection

        BB_HEAD
