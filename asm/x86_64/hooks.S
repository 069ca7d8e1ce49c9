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
 * system/src/arch/stubs.rs.
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

/* Goes on with the probe, or to \off, or, while calls are timed, to \timed; behind it comes what a miss does. */
        .macro  GMON_NO_HIT off, timed
2:      cmpq    $0, ENTRY_SELF(%rax)
        je      4f
        addq    $ENTRY_SIZE, %rax
        jmp     1b
3:      cmpl    $STATE_OFF, __gmon_state(%rip)
        je      \off
        cmpl    $STATE_TIMED, __gmon_state(%rip)
        je      \timed
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

/* One hook: `from` is the operand that holds frompc at entry, `miss` the Rust side of a miss, `timed` what comes first while
 * calls are timed, and goes on at `counts`. */
        .macro  GMON_HOOK from, miss, timed=6b, counts
        endbr64
        movq    %rax, -8(%rsp)
        cmpl    $STATE_ON, __gmon_state(%rip)
        jne     3f
        .ifnb   \counts
\counts:
        .endif
6:      GMON_SLOT \from, (%rsp)
1:      movq    (%rsp), %r11
        cmpq    %r11, ENTRY_SELF(%rax)
        jne     2f
        movq    \from, %r11
        cmpq    %r11, ENTRY_FROM(%rax)
        jne     2f
        incq    ENTRY_COUNT(%rax)       /* one instruction: a signal cannot split it */
        movq    -8(%rsp), %rax
        ret
        GMON_NO_HIT 5f, \timed
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
        GMON_HOOK 8(%rsp), __gmon_fentry_miss, __gmon_timed, .Lgmon_counts
        END     __fentry__

/* \to = this thread's times; on to \none if it has no such. */
        .macro  GMON_TIMES to, none
        movq    __gmon_table@gottpoff(%rip), \to
        movq    %fs:(\to), \to
        movq    TABLE_OWNER(\to), \to
        testq   \to, \to
        jz      \none
        movq    THREAD_TIMES(\to), \to
        testq   \to, \to
        jz      \none
        .endm

/* \to = the registers that a function gives back as it found them, in one number. \rbp has %rbp. */
        .macro  GMON_KEPT rbp, to
        leaq    (%rbx, \rbp, 2), \to
        .irp    register, %r12, %r13, %r14, %r15
        leaq    (\register, \to, 2), \to
        .endr
        .endm

/* Registers that __gmon_timed has kept in the red zone, but for %rax. */
        .macro  GMON_TIMED_RESTORE
        movq    -16(%rsp), %rcx
        movq    -24(%rsp), %rdx
        movq    -32(%rsp), %rsi
        .endm

/* Registers that __x86_return_thunk has kept in the red zone. */
        .macro  GMON_RETURN_RESTORE
        movq    -8(%rsp), %rax
        movq    -16(%rsp), %rdx
        movq    -24(%rsp), %rcx
        movq    -32(%rsp), %rsi
        movq    -40(%rsp), %rdi
        movq    -48(%rsp), %r11
        .endm

/* Adds a call of %rax ticks, which stands for %r11 others as well, to the numbers %rdi; %rcx = the thread's times. %rax, %rdx,
 * %r11 and the red zone's -64 are lost. */
        .macro  GMON_ADD_TIME
        mulq    TIMES_SCALE(%rcx)
        shrdq   $32, %rdx, %rax         /* nanoseconds */
        incq    %r11
        incq    NUMBERS_TIMED(%rdi)
        cmpq    NUMBERS_LONGEST(%rdi), %rax
        jbe     2f
        movq    %rax, NUMBERS_LONGEST(%rdi)
2:      movq    %rax, %rdx
        imulq   %r11, %rdx
        addq    %rdx, NUMBERS_TOTAL(%rdi)
        movq    %rax, %rdx
        shrq    $TIMES_MOST_BITS, %rdx
        jz      2f
        movq    $-1, %rax
        shrq    $64 - TIMES_MOST_BITS, %rax
2:      movq    %rax, %rdx
        orq     $TIMES_LINEAR, %rdx
        bsrq    %rdx, %rdx
        movq    %rcx, -64(%rsp)
        leal    -5(%rdx), %ecx
        shrq    %cl, %rax
        leal    -3(%rcx), %ecx
        shll    $5, %ecx
        addl    %ecx, %eax              /* the bucket */
        movq    -64(%rsp), %rcx
        addl    %r11d, NUMBERS_BUCKETS(%rdi, %rax, 4)
        jnc     2f
        movl    $-1, NUMBERS_BUCKETS(%rdi, %rax, 4)
2:
        .endm

/* What __fentry__ does first while calls are timed: puts the call on the thread's stack of calls, if the function is one
 * that is timed. The registers are kept in the red zone. */
        FUNCTION HIDDEN, __gmon_timed
        movq    %rcx, -16(%rsp)
        movq    %rdx, -24(%rsp)
        movq    %rsi, -32(%rsp)
        GMON_TIMES %rax, 4f
        movq    (%rsp), %rcx            /* selfpc, by which functions are known */
        imulq   $HASH_BOTH, %rcx, %rdx
        shrq    $HASH_SHIFT, %rdx
        andq    TIMES_MASK(%rax), %rdx
        addq    TIMES_KEYS(%rax), %rdx
1:      cmpq    %rcx, (%rdx)
        je      2f
        cmpq    $0, (%rdx)
        je      3f
        addq    $16, %rdx
        jmp     1b
2:      movq    8(%rdx), %rdx
        addq    %rax, %rdx              /* the function's numbers */
        movq    NUMBERS_SEEN(%rdx), %r11
        incq    NUMBERS_SEEN(%rdx)
        testl   $TIMES_JUDGED, %r11d    /* is it worth it? */
        jz      4f
        leaq    8(%rsp), %rcx           /* where the return address is */
        cmpq    TIMES_LOW(%rax), %rcx
        jb      4f
        cmpq    TIMES_HIGH(%rax), %rcx
        jae     4f
        movq    TIMES_TOP(%rax), %rsi
        cmpq    CALL_SLOT(%rsi), %rcx
        jae     4f                      /* calls that never ended, or one that ends with this */
        testq   %r11, NUMBERS_EVERY(%rdx)
        jnz     3f
        cmpq    TIMES_LIMIT(%rax), %rsi
        jae     4f
        addq    $CALL_SIZE, %rsi
        movq    %rcx, CALL_SLOT(%rsi)
        movq    %rsi, TIMES_TOP(%rax)
        movq    %rcx, CALL_SLOT(%rsi)   /* again: a handler's call may have been there before it was the top */
        movq    %rdx, CALL_NUMBERS(%rsi)
        movq    NUMBERS_EVERY(%rdx), %rcx
        movq    %rcx, CALL_EVERY(%rsi)
        movq    8(%rsp), %rcx
        movq    %rcx, CALL_RETURN(%rsi)
        GMON_KEPT %rbp, %rcx
        movq    %rcx, CALL_FRAME(%rsi)
        rdtsc
        shlq    $32, %rdx
        orq     %rdx, %rax
        movq    %rax, CALL_BEGAN(%rsi)
3:      GMON_TIMED_RESTORE
        jmp     .Lgmon_counts
4:      GMON_TIMED_RESTORE
        movq    -8(%rsp), %rax
        GMON_SAVE
        leaq    16(%rbp), %rdi                          /* where the return address is */
        movq    8(%rbp), %rsi                           /* selfpc */
        movq    (%rbp), %rdx
        GMON_KEPT %rdx, %rdx
        movq    16(%rbp), %rcx
        GMON_CALL_AND_RESTORE __gmon_times_enter
        movq    %rax, -8(%rsp)
        jmp     .Lgmon_counts
        END     __gmon_timed

/* What functions jump to in place of `ret` while their calls are timed: takes the call from the thread's stack of calls.
 *   in         (%rsp) = frompc
 *   preserved  everything but the flags: results, and what a caller knows that its callee leaves alone */
        FUNCTION WEAK, __x86_return_thunk, 64
.Lgmon_return:
        endbr64
        movq    %rax, -8(%rsp)
        movq    %rdx, -16(%rsp)
        rdtsc
        shlq    $32, %rdx
        orq     %rdx, %rax
        movq    %rax, -56(%rsp)
        movq    %rcx, -24(%rsp)
        movq    %rsi, -32(%rsp)
        movq    %rdi, -40(%rsp)
        movq    %r11, -48(%rsp)
        GMON_TIMES %rcx, 3f
        cmpl    $STATE_TIMED, __gmon_state(%rip)
        jne     4f
        cmpq    TIMES_LOW(%rcx), %rsp
        jb      4f
        cmpq    TIMES_HIGH(%rcx), %rsp
        jae     4f
        movq    TIMES_TOP(%rcx), %rsi
        cmpq    CALL_SLOT(%rsi), %rsp
        jb      3f                      /* a call that is not timed */
        jne     4f
1:      movq    CALL_RETURN(%rsi), %rdx
        cmpq    %rdx, (%rsp)
        jne     4f
        GMON_KEPT %rbp, %rdx
        cmpq    CALL_FRAME(%rsi), %rdx
        jne     4f
        movq    CALL_NUMBERS(%rsi), %rdi
        subq    CALL_BEGAN(%rsi), %rax
        jae     2f
        xorl    %eax, %eax
2:      cmpq    TIMES_LONG(%rcx), %rax
        jae     4f                      /* which is noted by itself */
        movq    CALL_EVERY(%rsi), %r11
        subq    $CALL_SIZE, %rsi
        movq    %rsi, TIMES_TOP(%rcx)
        GMON_ADD_TIME
        movq    -56(%rsp), %rax
        cmpq    CALL_SLOT(%rsi), %rsp
        je      1b                      /* its caller has ended with it */
3:      GMON_RETURN_RESTORE
        ret
4:      GMON_RETURN_RESTORE
        pushq   %r11                    /* which GMON_SAVE does not keep */
        .cfi_adjust_cfa_offset 8
        GMON_SAVE
        leaq    16(%rbp), %rdi
        movq    (%rbp), %rsi
        GMON_KEPT %rsi, %rsi
        movq    16(%rbp), %rdx
        GMON_CALL_AND_RESTORE __gmon_times_leave, 16
        popq    %r11
        .cfi_adjust_cfa_offset -8
        ret
        END     __x86_return_thunk

/* A hook that is an ordinary call, so that every register a function may change is free: \name(frompc, selfpc).
 * Members of the archive that are hooks by another name come here. */
        .macro  GMON_ORDINARY_HOOK name, miss, timed=6b, counts
        FUNCTION GLOBAL, \name, 64
        endbr64
        cmpl    $STATE_ON, __gmon_state(%rip)
        jne     3f
        .ifnb   \counts
\counts:
        .endif
6:      GMON_SLOT %rdi, %rsi
1:      cmpq    %rsi, ENTRY_SELF(%rax)
        jne     2f
        cmpq    %rdi, ENTRY_FROM(%rax)
        jne     2f
        incq    ENTRY_COUNT(%rax)
        ret
        GMON_NO_HIT 5f, \timed
        jmp     \miss
5:      ret
        END     \name
        .endm

        GMON_ORDINARY_HOOK __gmon_count, __mcount_internal
        GMON_ORDINARY_HOOK __gmon_enter, __gmon_enter_miss, __gmon_open, .Lgmon_enter_counts

/* What __gmon_enter does first while calls are timed: as __gmon_timed, but that it is called by the function itself, which has
 * a frame by now. Its calls are known by the place of the hook's own return address, and nothing is in doubt as long as
 * each is deeper than the one before. Calls that are not timed are put there, too, or their exits would take another one's.
 *   in         %rdi = frompc, %rsi = selfpc: the function; (%rsp) = return address into the function */
        FUNCTION HIDDEN, __gmon_open
        GMON_TIMES %rax, 4f
        imulq   $HASH_BOTH, %rsi, %rdx
        shrq    $HASH_SHIFT, %rdx
        andq    TIMES_MASK(%rax), %rdx
        addq    TIMES_KEYS(%rax), %rdx
1:      cmpq    %rsi, (%rdx)
        je      2f
        cmpq    $0, (%rdx)
        je      .Lgmon_enter_counts
        addq    $16, %rdx
        jmp     1b
2:      movq    8(%rdx), %rdx
        addq    %rax, %rdx              /* the function's numbers */
        movq    NUMBERS_SEEN(%rdx), %r11
        incq    NUMBERS_SEEN(%rdx)
        testl   $TIMES_JUDGED, %r11d
        jz      4f
        cmpq    TIMES_LOW(%rax), %rsp
        jb      4f
        cmpq    TIMES_HIGH(%rax), %rsp
        jae     4f
        movq    TIMES_TOP(%rax), %rcx
        cmpq    CALL_SLOT(%rcx), %rsp
        jae     4f
        cmpq    TIMES_LIMIT(%rax), %rcx
        jae     4f
        movq    NUMBERS_EVERY(%rdx), %r8
        testq   %r11, %r8
        jz      3f
        xorl    %edx, %edx              /* nobody wants its time */
3:      addq    $CALL_SIZE, %rcx
        movq    %rsp, CALL_SLOT(%rcx)
        movq    %rcx, TIMES_TOP(%rax)
        movq    %rsp, CALL_SLOT(%rcx)   /* again, as in __gmon_timed */
        movq    %rdx, CALL_NUMBERS(%rcx)
        movq    %r8, CALL_EVERY(%rcx)
        movq    %rdi, CALL_RETURN(%rcx)
        movq    %rsi, CALL_FUNCTION(%rcx)
        movq    %rbp, CALL_FRAME(%rcx)
        movq    (%rsp), %rax
        movq    %rax, CALL_HOOK(%rcx)
        rdtsc
        shlq    $32, %rdx
        orq     %rdx, %rax
        movq    %rax, CALL_BEGAN(%rcx)
        jmp     .Lgmon_enter_counts
4:      movq    %rsp, %rdx
        movq    (%rsp), %r8
        pushq   %rdi
        .cfi_adjust_cfa_offset 8
        pushq   %rsi
        .cfi_adjust_cfa_offset 8
        subq    $8, %rsp
        .cfi_adjust_cfa_offset 8
        movq    %rbp, %rcx
        call    __gmon_times_open
        addq    $8, %rsp
        .cfi_adjust_cfa_offset -8
        popq    %rsi
        .cfi_adjust_cfa_offset -8
        popq    %rdi
        .cfi_adjust_cfa_offset -8
        jmp     .Lgmon_enter_counts
        END     __gmon_open

/* __gmon_leave(function, frompc): ends a call that __gmon_enter has begun. It is called as __gmon_enter is or, where it is the last
 * that the function does, jumped to: then (%rsp) = frompc, and the frame is gone. */
        FUNCTION GLOBAL, __gmon_leave, 64
        endbr64
        cmpl    $STATE_TIMED, __gmon_state(%rip)
        je      1f
        ret
1:      GMON_TIMES %rcx, 3f
        cmpq    TIMES_LOW(%rcx), %rsp
        jb      5f
        cmpq    TIMES_HIGH(%rcx), %rsp
        jae     5f
        movq    TIMES_TOP(%rcx), %r8
        cmpq    CALL_FUNCTION(%r8), %rdi
        jne     5f
        rdtsc
        shlq    $32, %rdx
        orq     %rdx, %rax
        cmpq    CALL_RETURN(%r8), %rsi
        jne     4f
        cmpq    CALL_SLOT(%r8), %rsp
        jb      4f
        jne     7f
        cmpq    %rsi, (%rsp)
        je      4f
1:      movq    CALL_NUMBERS(%r8), %rdx
        subq    CALL_BEGAN(%r8), %rax
        jae     2f
        xorl    %eax, %eax
2:      cmpq    TIMES_LONG(%rcx), %rax
        jae     4f                      /* which is noted by itself */
        movq    CALL_EVERY(%r8), %r11
        subq    $CALL_SIZE, %r8
        movq    %r8, TIMES_TOP(%rcx)
        testq   %rdx, %rdx
        jz      3f
        movq    %rdx, %rdi
        GMON_ADD_TIME
3:      ret
7:      cmpq    %rsi, (%rsp)
        jne     4f
        cmpq    CALL_SLOT - CALL_SIZE(%r8), %rsp
        jb      1b                      /* the only one whose frame is gone */
4:      movq    %rsp, %rdx
        movq    %rbp, %rcx
        movq    (%rsp), %r8
        jmp     __gmon_times_close
5:      imulq   $HASH_BOTH, %rdi, %rdx
        shrq    $HASH_SHIFT, %rdx
        andq    TIMES_MASK(%rcx), %rdx
        addq    TIMES_KEYS(%rcx), %rdx
6:      cmpq    %rdi, (%rdx)
        je      4b
        addq    $16, %rdx
        cmpq    $0, -16(%rdx)
        jne     6b
        ret                             /* nobody wants its times */
        END     __gmon_leave

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
6:      GMON_SLOT (%rsp), -32(%rsp)
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
        GMON_NO_HIT 5b, 6b
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
