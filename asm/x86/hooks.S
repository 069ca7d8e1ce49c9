/* Entry hooks for 32-bit x86, System V ABI (AT&T syntax).
 *
 * Called by every profiled function:
 *   mcount, _mcount  after the prologue (-pg):
 *                      (%esp) = selfpc, 4(%ebp) = frompc
 *   __fentry__       as the first instruction (-pg -mfentry, not in position-independent code):
 *                      (%esp) = selfpc, 4(%esp) = frompc; in a function with a static chain gcc
 *                      pushes %ecx first, so that frompc is at 8(%esp): left to Rust
 * Preserved: everything but the flags. There may be arguments in %eax, %ecx, %edx and %xmm0-7, and the
 * stack may have any alignment.
 *
 * A hit runs here: one probe of this thread's table, one increment, no taken branch. A signal may split
 * the increment: the kernel keeps the carry, and a handler carries its own.
 * A miss saves %xmm0-7 as well, which Rust code can change; nothing of it touches x87 and MMX state.
 *
 * Data is found from the global offset table, whose address a call of the next instruction gives:
 * processors know that as no call.
 *
 * The names of offsets, states and factors of the hash come from Rust, which knows them too:
 * system/src/arch/stubs.rs.
 */

        .att_syntax prefix

/* struct Record in runtime/src/linux/libcalls/stubs.rs. */
        .set    RECORD_SELF, 0
        .set    RECORD_TARGET, 4

/* Where a jump by a word has the word's address. */
        .set    JUMP_FROM, 2

        .pushsection .text.__gmon_hooks, "ax", %progbits

/* %edx = the global offset table. */
        .macro  GMON_DATA
        call    9f
        .cfi_adjust_cfa_offset 4
9:      popl    %edx
        .cfi_adjust_cfa_offset -4
        addl    $_GLOBAL_OFFSET_TABLE_ + (. - 9b), %edx
        .endm

/* Counts the arc and goes on, unless that is left to GMON_NO_HIT, which follows. Changes %eax, %ecx and
 * %edx. */
        .macro  GMON_PROBE from, self
        GMON_DATA
        cmpl    $STATE_ON, __gmon_state@GOTOFF(%edx)
        jne     3f
        imull   $HASH_FROM, \from, %eax
        addl    \self, %eax
        imull   $HASH_BOTH, %eax, %eax
        shrl    $HASH_SHIFT, %eax
        movl    __gmon_table@GOTNTPOFF(%edx), %ecx
        movl    %gs:(%ecx), %ecx
        andl    TABLE_MASK(%ecx), %eax
        addl    %ecx, %eax
        movl    \self, %edx
        movl    \from, %ecx
1:      cmpl    %edx, ENTRY_SELF(%eax)
        jne     2f
        cmpl    %ecx, ENTRY_FROM(%eax)
        jne     2f
        addl    $1, ENTRY_COUNT(%eax)
        adcl    $0, ENTRY_COUNT + 4(%eax)
        .endm

/* Goes on with the probe, or to \off; behind it comes what a miss does. */
        .macro  GMON_NO_HIT off
2:      cmpl    $0, ENTRY_SELF(%eax)
        je      4f
        addl    $ENTRY_SIZE, %eax
        jmp     1b
3:      cmpl    $STATE_OFF, __gmon_state@GOTOFF(%edx)
        je      \off
4:
        .endm

/* Calls a function of Rust with the frompc %ecx, the selfpc at %edx, and %edx itself, and keeps %xmm0-7 and the stack,
 * whose end is \cfa bytes up. */
        .macro  GMON_CALL_RUST function, cfa
        pushl   %ebp
        .cfi_adjust_cfa_offset 4
        .cfi_rel_offset %ebp, 0
        movl    %esp, %ebp
        .cfi_def_cfa_register %ebp
        subl    $144, %esp
        andl    $-16, %esp
        movl    %ecx, 0(%esp)           /* frompc */
        movl    (%edx), %eax
        movl    %eax, 4(%esp)           /* selfpc */
        movl    %edx, 8(%esp)
        movaps  %xmm0, 16(%esp)
        movaps  %xmm1, 32(%esp)
        movaps  %xmm2, 48(%esp)
        movaps  %xmm3, 64(%esp)
        movaps  %xmm4, 80(%esp)
        movaps  %xmm5, 96(%esp)
        movaps  %xmm6, 112(%esp)
        movaps  %xmm7, 128(%esp)
        cld
        call    \function
        movaps  128(%esp), %xmm7
        movaps  112(%esp), %xmm6
        movaps  96(%esp), %xmm5
        movaps  80(%esp), %xmm4
        movaps  64(%esp), %xmm3
        movaps  48(%esp), %xmm2
        movaps  32(%esp), %xmm1
        movaps  16(%esp), %xmm0
        leave
        .cfi_def_cfa %esp, \cfa
        .cfi_restore %ebp
        .endm

/* One hook: `from` is the operand that holds frompc when three registers were pushed, `miss` the Rust
 * side of a miss. */
        .macro  GMON_HOOK from, miss
        endbr32
        pushl   %eax
        .cfi_adjust_cfa_offset 4
        pushl   %ecx
        .cfi_adjust_cfa_offset 4
        pushl   %edx
        .cfi_adjust_cfa_offset 4
        GMON_PROBE \from, 12(%esp)
5:      popl    %edx
        .cfi_adjust_cfa_offset -4
        popl    %ecx
        .cfi_adjust_cfa_offset -4
        popl    %eax
        .cfi_adjust_cfa_offset -4
        ret
        .cfi_adjust_cfa_offset 12
        GMON_NO_HIT 5b
        movl    \from, %ecx
        leal    12(%esp), %edx          /* stack at entry */
        GMON_CALL_RUST \miss, 16
        jmp     5b
        .endm

        FUNCTION GLOBAL, mcount, 64
        NAME    GLOBAL, _mcount
        GMON_HOOK 4(%ebp), __mcount_internal
        END     mcount, _mcount

        FUNCTION GLOBAL, __fentry__, 64
        GMON_HOOK 16(%esp), __gmon_fentry_miss
        END     __fentry__

/* __gmon_count(frompc, selfpc): an ordinary call, but for the alignment of the stack. Members of the
 * archive that are hooks by another name come here. */
        FUNCTION GLOBAL, __gmon_count, 64
        endbr32
        GMON_PROBE 4(%esp), 8(%esp)
5:      ret
        GMON_NO_HIT 5b
        pushl   %ebp
        .cfi_adjust_cfa_offset 4
        .cfi_rel_offset %ebp, 0
        movl    %esp, %ebp
        .cfi_def_cfa_register %ebp
        subl    $8, %esp
        andl    $-16, %esp
        movl    8(%ebp), %eax
        movl    %eax, 0(%esp)
        movl    12(%ebp), %eax
        movl    %eax, 4(%esp)
        call    __mcount_internal
        leave
        .cfi_def_cfa %esp, 4
        .cfi_restore %ebp
        ret
        END     __gmon_count

/* __gmon_library_call: what the stubs of runtime/src/linux/libcalls call, in place of a function of a shared
 * library that code calls.
 *   in         (%esp) = the stub's last instruction, which jumps to where the record says; 4(%esp) = frompc
 *   preserved  everything but the flags, which no function keeps and the loader's own lazy binding neither */
        FUNCTION HIDDEN, __gmon_library_call, 64
        .cfi_def_cfa_offset 8           /* The stub is no frame of its own. */
        endbr32
        .irp    register, %eax, %ecx, %edx
        pushl   \register
        .cfi_adjust_cfa_offset 4
        .endr
        movl    12(%esp), %eax
        movl    JUMP_FROM(%eax), %eax
        pushl   RECORD_SELF - RECORD_TARGET(%eax)
        .cfi_adjust_cfa_offset 4
        GMON_PROBE 20(%esp), (%esp)
5:      leal    4(%esp), %esp
        .cfi_adjust_cfa_offset -4
        .irp    register, %edx, %ecx, %eax
        popl    \register
        .cfi_adjust_cfa_offset -4
        .endr
        ret
        .cfi_adjust_cfa_offset 16
        GMON_NO_HIT 5b
        movl    20(%esp), %ecx
        movl    %esp, %edx
        GMON_CALL_RUST __mcount_internal, 24
        jmp     5b
        END     __gmon_library_call

        HOOKS_END

/* __gmon_table_place(): the address of this thread's __gmon_table. */
        FUNCTION HIDDEN, __gmon_table_place
        endbr32
        GMON_DATA
        movl    %gs:0, %eax
        addl    __gmon_table@GOTNTPOFF(%edx), %eax
        ret
        END     __gmon_table_place
        .popsection
