/* The contract of old gcc's -a for SPARC of 32 and 64 bits: a member of its own of the archive, which a
 * program has only if it refers to these names and does not define them itself. See asm/x86_64.bb.S for
 * what they are.
 */

        .pushsection .text.__gmon_bb, "ax", %progbits

        FUNCTION GLOBAL, __bb_init_func
        mov     %o7, %g1
        .cfi_register %o7, %g1
        call    1f
        nop
1:      sethi   %pc22(__bb_head_here+8), %o1
        or      %o1, %pc10(__bb_head_here+12), %o1
        add     %o7, %o1, %o1
        call    __gmon_unit
        mov     %g1, %o7
        END     __bb_init_func

        FORWARD GLOBAL, __bb_exit_func, _mcleanup
        .popsection

        BB_HEAD
