/* Entry hooks for x86-64, System V ABI (AT&T syntax).
 *
 * Called by every profiled function:
 *   mcount, _mcount  after the prologue (-pg):
 *                      (%rsp) = selfpc, 8(%rbp) = frompc
 *   __fentry__       as the first instruction (-pg -mfentry):
 *                      (%rsp) = selfpc, 8(%rsp) = frompc; in a function with a static chain
 *                      gcc pushes %r10 first, so that frompc is at 16(%rsp): left to Rust
 * Preserved: everything but %r11 and the flags. Compilers keep arguments, AL, the static chain
 * and vector registers live across the hook, and the stack may have any alignment.
 *
 * A hit runs here: one probe of this thread's table, one increment, no taken branch. The stack below
 * %rsp is ours (red zone, 128 bytes, kept by signal frames), so nothing is pushed and no CFI
 * changes.
 * A miss saves every register that Rust code built for the baseline instruction set can change:
 * the general ones and the low halves of %xmm0-15. Legacy SSE leaves the upper halves, masks, x87
 * and MMX state alone, so there is no xsave and 4 KiB stacks are enough. That no AVX or libc code
 * is reached from here is checked on the built library by tests/archive.rs.
 *
 * The names of offsets, states and factors of the hash come from Rust, which knows them too:
 * runtime/src/arch/stubs.rs.
 */

        .att_syntax prefix

/* struct Record in runtime/src/linux/libcalls/stubs.rs. */
        .set    RECORD_SELF, 0
        .set    RECORD_TARGET, 8

        .pushsection .text.__gmon_hooks, "ax", %progbits

/* %rax = the first slot of this thread's table where the arc may be; %r11 is lost. */
        .macro  GMON_SLOT from, self
        imulq   $HASH_FROM, \from, %rax
        addq    \self, %rax
        imulq   $HASH_BOTH, %rax, %rax
        shrq    $HASH_SHIFT, %rax
        movq    __gmon_table@gottpoff(%rip), %r11
        movq    %fs:(%r11), %r11
        andq    TABLE_MASK(%r11), %rax
        addq    %r11, %rax
        .endm

/* Goes on with the probe, or to \off; behind it comes what a miss does. */
        .macro  GMON_NO_HIT off
2:      cmpq    $0, ENTRY_SELF(%rax)
        je      4f
        addq    $ENTRY_SIZE, %rax
        jmp     1b
3:      cmpl    $STATE_OFF, __gmon_state(%rip)
        je      \off
4:
        .endm

/* Saves every register that Rust code can change, %rax as it is now, in a frame of its own on an aligned stack. */
        .macro  GMON_SAVE
        pushq   %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbp, 0
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        subq    $336, %rsp
        andq    $-16, %rsp
        movq    %rax, 0(%rsp)
        movq    %rcx, 8(%rsp)
        movq    %rdx, 16(%rsp)
        movq    %rsi, 24(%rsp)
        movq    %rdi, 32(%rsp)
        movq    %r8, 40(%rsp)
        movq    %r9, 48(%rsp)
        movq    %r10, 56(%rsp)
        movaps  %xmm0, 64(%rsp)
        movaps  %xmm1, 80(%rsp)
        movaps  %xmm2, 96(%rsp)
        movaps  %xmm3, 112(%rsp)
        movaps  %xmm4, 128(%rsp)
        movaps  %xmm5, 144(%rsp)
        movaps  %xmm6, 160(%rsp)
        movaps  %xmm7, 176(%rsp)
        movaps  %xmm8, 192(%rsp)
        movaps  %xmm9, 208(%rsp)
        movaps  %xmm10, 224(%rsp)
        movaps  %xmm11, 240(%rsp)
        movaps  %xmm12, 256(%rsp)
        movaps  %xmm13, 272(%rsp)
        movaps  %xmm14, 288(%rsp)
        movaps  %xmm15, 304(%rsp)
        .endm

/* Calls Rust in such a frame, and restores the registers and the stack. */
        .macro  GMON_CALL_AND_RESTORE function, cfa=8
        cld
        call    \function
        movaps  304(%rsp), %xmm15
        movaps  288(%rsp), %xmm14
        movaps  272(%rsp), %xmm13
        movaps  256(%rsp), %xmm12
        movaps  240(%rsp), %xmm11
        movaps  224(%rsp), %xmm10
        movaps  208(%rsp), %xmm9
        movaps  192(%rsp), %xmm8
        movaps  176(%rsp), %xmm7
        movaps  160(%rsp), %xmm6
        movaps  144(%rsp), %xmm5
        movaps  128(%rsp), %xmm4
        movaps  112(%rsp), %xmm3
        movaps  96(%rsp), %xmm2
        movaps  80(%rsp), %xmm1
        movaps  64(%rsp), %xmm0
        movq    56(%rsp), %r10
        movq    48(%rsp), %r9
        movq    40(%rsp), %r8
        movq    32(%rsp), %rdi
        movq    24(%rsp), %rsi
        movq    16(%rsp), %rdx
        movq    8(%rsp), %rcx
        movq    0(%rsp), %rax
        leave
        .cfi_def_cfa %rsp, \cfa
        .cfi_restore %rbp
        .endm

/* One hook: `from` is the operand that holds frompc at entry, `miss` the Rust side of a miss. */
        .macro  GMON_HOOK from, miss
        endbr64
        movq    %rax, -8(%rsp)
        cmpl    $STATE_ON, __gmon_state(%rip)
        jne     3f
        GMON_SLOT \from, (%rsp)
1:      movq    (%rsp), %r11
        cmpq    %r11, ENTRY_SELF(%rax)
        jne     2f
        movq    \from, %r11
        cmpq    %r11, ENTRY_FROM(%rax)
        jne     2f
        incq    ENTRY_COUNT(%rax)       /* one instruction: a signal cannot split it */
        movq    -8(%rsp), %rax
        ret
        GMON_NO_HIT 5f
        movq    \from, %r11             /* frompc for the miss path */
        movq    -8(%rsp), %rax
        GMON_SAVE
        movq    %r11, %rdi                              /* frompc */
        movq    8(%rbp), %rsi                           /* selfpc */
        leaq    8(%rbp), %rdx                           /* stack at entry */
        GMON_CALL_AND_RESTORE \miss
        ret
5:      movq    -8(%rsp), %rax
        ret
        .endm

        FUNCTION GLOBAL, mcount, 64
        NAME    GLOBAL, _mcount
        GMON_HOOK 8(%rbp), __mcount_internal
        END     mcount, _mcount

        FUNCTION GLOBAL, __fentry__, 64
.Lgmon_fentry:                          /* for our own code, so that no other definition gets between */
        GMON_HOOK 8(%rsp), __gmon_fentry_miss
        END     __fentry__

/* __gmon_count(frompc, selfpc): an ordinary call, so that every register a function may change is free.
 * Members of the archive that are hooks by another name come here. */
        FUNCTION GLOBAL, __gmon_count, 64
        endbr64
        cmpl    $STATE_ON, __gmon_state(%rip)
        jne     3f
        GMON_SLOT %rdi, %rsi
1:      cmpq    %rsi, ENTRY_SELF(%rax)
        jne     2f
        cmpq    %rdi, ENTRY_FROM(%rax)
        jne     2f
        incq    ENTRY_COUNT(%rax)
        ret
        GMON_NO_HIT 5f
        jmp     __mcount_internal
5:      ret
        END     __gmon_count

/* __gmon_library_call: what the stubs of runtime/src/linux/libcalls come to, in place of a function of a shared
 * library that code calls.
 *   in         %r11 = the stub's record: selfpc, and where to go on
 *              -16(%rsp) = %r11 as it was; (%rsp) = frompc
 *   preserved  everything but the flags, which no function keeps and the loader's own lazy binding neither */
        FUNCTION HIDDEN, __gmon_library_call, 64
        endbr64
        movq    %rax, -8(%rsp)
        movq    RECORD_TARGET(%r11), %rax
        movq    %rax, -24(%rsp)
        movq    RECORD_SELF(%r11), %r11
        movq    %r11, -32(%rsp)
        cmpl    $STATE_ON, __gmon_state(%rip)
        jne     3f
        GMON_SLOT (%rsp), -32(%rsp)
1:      movq    -32(%rsp), %r11
        cmpq    %r11, ENTRY_SELF(%rax)
        jne     2f
        movq    (%rsp), %r11
        cmpq    %r11, ENTRY_FROM(%rax)
        jne     2f
        incq    ENTRY_COUNT(%rax)       /* one instruction: a signal cannot split it */
5:      movq    -8(%rsp), %rax
        movq    -16(%rsp), %r11
        jmp     *-24(%rsp)
        GMON_NO_HIT 5b
        movq    -8(%rsp), %rax
        leaq    -32(%rsp), %rsp         /* keeps the four words */
        .cfi_adjust_cfa_offset 32
        GMON_SAVE
        movq    40(%rbp), %rdi                          /* frompc */
        movq    8(%rbp), %rsi                           /* selfpc */
        GMON_CALL_AND_RESTORE __mcount_internal, 40
        leaq    32(%rsp), %rsp
        .cfi_adjust_cfa_offset -32
        movq    -16(%rsp), %r11
        jmp     *-24(%rsp)
        END     __gmon_library_call

        HOOKS_END

/* __gmon_table_place(): the address of this thread's __gmon_table. */
        FUNCTION HIDDEN, __gmon_table_place
        endbr64
        movq    %fs:0, %rax
        addq    __gmon_table@gottpoff(%rip), %rax
        ret
        END     __gmon_table_place
        .popsection
