/* The contract of old gcc's -a for 32-bit x86 (AT&T syntax): a member of its own of the archive, which a
 * program has only if it refers to these names and does not define them itself. See asm/x86_64.bb.S for what
 * they are.
 */

        .pushsection .text.__gmon_bb, "ax", %progbits

        FUNCTION GLOBAL, __bb_init_func
        endbr32
        call    1f
        .cfi_adjust_cfa_offset 4
1:      popl    %eax
        .cfi_adjust_cfa_offset -4
        addl    $__bb_head_here - 1b, %eax
        movl    4(%esp), %ecx
        pushl   %eax
        pushl   %eax
        pushl   %ecx
        .cfi_adjust_cfa_offset 12
        call    __gmon_unit@PLT
        addl    $12, %esp
        .cfi_adjust_cfa_offset -12
        ret
        END     __bb_init_func

        FORWARD GLOBAL, __bb_exit_func, _mcleanup
        .popsection

        BB_HEAD
