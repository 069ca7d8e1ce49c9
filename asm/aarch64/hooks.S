/* Entry hooks for AArch64, AAPCS64.
 *
 * Called by every profiled function, after its prologue:
 *   _mcount, mcount   x0 = frompc, x30 = selfpc, x29 = the frame record: caller's x29, then frompc
 * An ordinary call: the compiler keeps nothing in registers that a function may change. LLVM before
 * 20 passes no frompc, so that x0 is whatever the function was called with; and gcc before 10 passes it
 * with the signature of pointer authentication. Neither is found in a table; the Rust side of a miss
 * finds out and looks at the frame record.
 *
 * Called by a function of `gmon cc --dormant` whose hook is awake, before the function has done anything:
 *   __fentry__        x17 = frompc, x30 = selfpc
 * Preserved: everything but x16, x17 and the flags. Arguments are in any register that a call of this kind may have them
 * in, the static chain is in x15 or x18.
 *
 * A hit runs here: one probe of this thread's table, one increment, no stack. An exception clears the
 * monitor of ldxr, so that an increment which a signal handler interrupts begins again.
 *
 * The names of offsets, states and factors of the hash come from Rust, which knows them too:
 * system/src/arch/stubs.rs.
 */

/* struct Record in runtime/src/linux/libcalls/stubs.rs. */
        .set    RECORD_SELF, 0
        .set    RECORD_TARGET, 8

        .pushsection .text.__gmon_hooks, "ax", %progbits

/* Counts the arc \from -> \self and goes on, unless that is left to GMON_NO_HIT, which follows. Changes x9 to
 * x11. Where the state does not matter, it begins at \counts. */
        .macro  GMON_PROBE from, self, counts
        adrp    x9, __gmon_state
        ldr     w9, [x9, #:lo12:__gmon_state]
        cmp     w9, #STATE_ON
        b.ne    4f
        .ifnb   \counts
\counts:
        .endif
        mov     w9, #HASH_FROM & 0xffff
        movk    w9, #HASH_FROM >> 16, lsl #16
        madd    x9, \from, x9, \self
        mov     w10, #HASH_BOTH & 0xffff
        movk    w10, #HASH_BOTH >> 16, lsl #16
        mul     x9, x9, x10
        mrs     x11, tpidr_el0
        adrp    x10, :gottprel:__gmon_table
        ldr     x10, [x10, #:gottprel_lo12:__gmon_table]
        ldr     x11, [x11, x10]
        ldur    x10, [x11, #TABLE_MASK]
        and     x9, x10, x9, lsr #HASH_SHIFT
        add     x9, x11, x9
1:      ldp     x10, x11, [x9, #ENTRY_SELF]
        cmp     x10, \self
        ccmp    x11, \from, #0, eq
        b.ne    3f
        add     x9, x9, #ENTRY_COUNT
2:      ldxr    x10, [x9]
        add     x10, x10, #1
        stxr    w11, x10, [x9]
        cbnz    w11, 2b
        .endm

/* Goes on with the probe, or to \miss with the arc. What follows runs where the state is not on: the flags say
 * whether it is off. */
        .macro  GMON_NO_HIT miss
3:      add     x9, x9, #ENTRY_SIZE
        cbnz    x10, 1b
        b       \miss
4:      cmp     w9, #STATE_OFF
        .endm

/* Counts the arc x0 -> \self and returns, or goes to \miss, which must be near: linkers lengthen no conditional
 * branches. */
        .macro  GMON_HOOK self, miss
        LANDING_PAD
        GMON_PROBE x0, \self
        ret
        GMON_NO_HIT \miss
        b.ne    \miss
        ret
        .endm

        FUNCTION GLOBAL, mcount, 64
        NAME    GLOBAL, _mcount
        NAME    GLOBAL, __mcount
        GMON_HOOK x30, 5f
5:      mov     x1, x30
        mov     x2, x29
        mov     x3, sp
        b       __gmon_framed_miss
        END     mcount, _mcount, __mcount

/* __gmon_count(frompc, selfpc). Members of the archive that are hooks by another name come here. */
        FUNCTION GLOBAL, __gmon_count, 64
        GMON_HOOK x1, 5f
5:      b       __mcount_internal
        END     __gmon_count

/* Stores or loads all vector registers. */
        .macro  VECTORS instruction
        \instruction q0, q1, [sp, #144]
        \instruction q2, q3, [sp, #176]
        \instruction q4, q5, [sp, #208]
        \instruction q6, q7, [sp, #240]
        \instruction q8, q9, [sp, #272]
        \instruction q10, q11, [sp, #304]
        \instruction q12, q13, [sp, #336]
        \instruction q14, q15, [sp, #368]
        \instruction q16, q17, [sp, #400]
        \instruction q18, q19, [sp, #432]
        \instruction q20, q21, [sp, #464]
        \instruction q22, q23, [sp, #496]
        \instruction q24, q25, [sp, #528]
        \instruction q26, q27, [sp, #560]
        \instruction q28, q29, [sp, #592]
        \instruction q30, q31, [sp, #624]
        .endm

        .set    SAVED, 656

/* Saves all registers that code of ours can change, but x9 to x11, which are saved already, and x17. */
        .macro  GMON_SAVE
        sub     sp, sp, #SAVED
        .cfi_adjust_cfa_offset SAVED
        stp     x29, x30, [sp]
        .cfi_rel_offset x29, 0
        .cfi_rel_offset x30, 8
        mov     x29, sp
        stp     x0, x1, [sp, #16]
        stp     x2, x3, [sp, #32]
        stp     x4, x5, [sp, #48]
        stp     x6, x7, [sp, #64]
        stp     x8, x12, [sp, #80]
        stp     x13, x14, [sp, #96]
        stp     x15, x16, [sp, #112]
        str     x18, [sp, #128]
        VECTORS stp
        .endm

/* Restores them. */
        .macro  GMON_RESTORE
        VECTORS ldp
        ldr     x18, [sp, #128]
        ldp     x15, x16, [sp, #112]
        ldp     x13, x14, [sp, #96]
        ldp     x8, x12, [sp, #80]
        ldp     x6, x7, [sp, #64]
        ldp     x4, x5, [sp, #48]
        ldp     x2, x3, [sp, #32]
        ldp     x0, x1, [sp, #16]
        ldp     x29, x30, [sp]
        .cfi_restore x29
        .cfi_same_value x30
        add     sp, sp, #SAVED
        .cfi_adjust_cfa_offset -SAVED
        .endm

/* Bytes of the stack below a function's own that its hooks and exits keep registers in. */
        .set    FRAME, 64

/* \to = this thread's times; on to \none if it has no such. \by is lost. */
        .macro  GMON_TIMES to, by, none
        mrs     \to, tpidr_el0
        adrp    \by, :gottprel:__gmon_table
        ldr     \by, [\by, #:gottprel_lo12:__gmon_table]
        ldr     \to, [\to, \by]
        ldur    \to, [\to, #TABLE_OWNER]
        cbz     \to, \none
        ldr     \to, [\to, #THREAD_TIMES]
        cbz     \to, \none
        .endm

/* \call = the last call that the times \times know, and the flags compare the place \slot with its, which \by has; on to \else
 * if the place is not on the stack that they know. */
        .macro  GMON_LAST_CALL call, slot, times, by, else
        ldr     \by, [\times, #TIMES_LOW]
        cmp     \slot, \by
        b.lo    \else
        ldr     \by, [\times, #TIMES_HIGH]
        cmp     \slot, \by
        b.hs    \else
        ldr     \call, [\times, #TIMES_TOP]
        ldr     \by, [\call, #CALL_SLOT]
        cmp     \slot, \by
        .endm

/* \to = the registers that a function gives back as it found them, in one number; \frame is its x29. */
        .macro  GMON_KEPT frame, to
        add     \to, x19, \frame, lsl #1
        .irp    register, x20, x21, x22, x23, x24, x25, x26, x27, x28
        add     \to, \register, \to, lsl #1
        .endr
        .endm

/* Adds \value to the number at an offset from \base; \sum is what it was before plus that. \at and \status are lost. A signal
 * cannot split it. */
        .macro  GMON_ADD value, base, offset, sum, at, status
        add     \at, \base, #\offset
9:      ldxr    \sum, [\at]
        add     \sum, \sum, \value
        stxr    \status, \sum, [\at]
        cbnz    \status, 9b
        .endm

/* Its own return address has a column of unwind rules of its own, the program counter's, as the function's is still in a
 * register. To these rules the function is one that was interrupted: it has done nothing yet. */
        FUNCTION HIDDEN, __fentry__, 64
.Lgmon_fentry:
        .cfi_signal_frame
        .cfi_return_column 32
        .cfi_register 32, x30
        .cfi_register x30, x17
        mov     x16, x30
        .cfi_register 32, x16
        mov     x30, x17
        .cfi_same_value x30
        stp     x9, x10, [sp, #-FRAME]!
        .cfi_adjust_cfa_offset FRAME
        str     x11, [sp, #16]
        GMON_PROBE x30, x16, .Lgmon_counts
5:      ldr     x11, [sp, #16]
        .cfi_remember_state
        ldp     x9, x10, [sp], #FRAME
        .cfi_adjust_cfa_offset -FRAME
        ret     x16
        .cfi_restore_state
        .cfi_def_cfa_offset FRAME       /* LLVM goes on from the one before */
        GMON_NO_HIT 6f
        b.eq    5b
        cmp     w9, #STATE_TIMED
        b.eq    .Lgmon_timed
6:      GMON_SAVE
        .cfi_rel_offset 32, 120
        mov     x0, x30                 /* frompc */
        mov     x1, x16                 /* selfpc */
        bl      __mcount_internal
        GMON_RESTORE
        .cfi_register 32, x16
        b       5b

/* What comes first while calls are timed: puts the call on the thread's stack of calls, if the function is one that is
 * timed. */
.Lgmon_timed:
        str     x12, [sp, #24]
        str     x13, [sp, #32]
        GMON_TIMES x9, x10, 8f
        mov     w10, #HASH_BOTH & 0xffff
        movk    w10, #HASH_BOTH >> 16, lsl #16
        mul     x10, x16, x10           /* functions are known by selfpc */
        ldr     x11, [x9, #TIMES_MASK]
        and     x10, x11, x10, lsr #HASH_SHIFT
        ldr     x11, [x9, #TIMES_KEYS]
        add     x10, x11, x10
1:      ldr     x11, [x10]
        cmp     x11, x16
        b.eq    2f
        cbz     x11, 7f
        add     x10, x10, #16
        b       1b
2:      ldr     x10, [x10, #8]
        add     x10, x9, x10            /* the function's numbers */
        mov     x12, #1
        GMON_ADD x12, x10, NUMBERS_SEEN, x11, x13, w17
        sub     x11, x11, #1
        tst     x11, #TIMES_JUDGED      /* is it worth it? */
        b.eq    8f
        add     x12, sp, #FRAME         /* stack at entry */
        GMON_LAST_CALL x13, x12, x9, x17, 8f
        b.hs    8f                      /* calls that never ended, or one that ends with this */
        ldr     x17, [x10, #NUMBERS_EVERY]
        tst     x11, x17
        b.ne    7f
        ldr     x11, [x9, #TIMES_LIMIT]
        cmp     x13, x11
        b.hs    8f
        add     x13, x13, #CALL_SIZE
        str     x12, [x13, #CALL_SLOT]
        str     x13, [x9, #TIMES_TOP]
        str     x12, [x13, #CALL_SLOT]  /* again: a handler's call may have been there before it was the top */
        str     x10, [x13, #CALL_NUMBERS]
        str     x17, [x13, #CALL_EVERY]
        str     x30, [x13, #CALL_RETURN]
        GMON_KEPT x29, x11
        str     x11, [x13, #CALL_FRAME]
        mrs     x11, cntvct_el0
        str     x11, [x13, #CALL_BEGAN]
7:      ldr     x12, [sp, #24]
        ldr     x13, [sp, #32]
        b       .Lgmon_counts
8:      ldr     x12, [sp, #24]
        ldr     x13, [sp, #32]
        GMON_SAVE
        .cfi_rel_offset 32, 120
        add     x0, sp, #SAVED + FRAME  /* stack at entry */
        mov     x1, x16                 /* selfpc */
        ldr     x2, [sp]
        GMON_KEPT x2, x2
        mov     x3, x30                 /* frompc */
        bl      __gmon_times_enter
        GMON_RESTORE
        .cfi_register 32, x16
        b       .Lgmon_counts
        END     __fentry__

/* What functions jump to before they return while their calls are timed: takes the call from the thread's stack of calls.
 *   in         x30 = frompc
 *   preserved  everything but x16, x17 and the flags: results, and what a caller knows that its callee leaves alone */
        FUNCTION HIDDEN, __gmon_return, 64
.Lgmon_return:
        mrs     x16, cntvct_el0
        stp     x9, x10, [sp, #-FRAME]!
        .cfi_adjust_cfa_offset FRAME
        stp     x11, x12, [sp, #16]
        stp     x13, x14, [sp, #32]
        str     x15, [sp, #48]
        GMON_TIMES x9, x10, 3f
        adrp    x10, __gmon_state
        ldr     w10, [x10, #:lo12:__gmon_state]
        cmp     w10, #STATE_TIMED
        b.ne    4f
        add     x12, sp, #FRAME         /* stack at entry */
        GMON_LAST_CALL x13, x12, x9, x10, 4f
        b.lo    3f                      /* a call that is not timed */
        b.ne    4f
1:      ldr     x10, [x13, #CALL_RETURN]
        cmp     x10, x30
        b.ne    4f
        GMON_KEPT x29, x10
        ldr     x11, [x13, #CALL_FRAME]
        cmp     x10, x11
        b.ne    4f
        ldr     x10, [x13, #CALL_NUMBERS]
        ldr     x11, [x13, #CALL_BEGAN]
        subs    x11, x16, x11
        csel    x11, xzr, x11, lo
        ldr     x14, [x9, #TIMES_LONG]
        cmp     x11, x14
        b.hs    4f                      /* which is noted by itself */
        ldr     x17, [x13, #CALL_EVERY]
        add     x17, x17, #1            /* calls that it stands for */
        sub     x13, x13, #CALL_SIZE
        str     x13, [x9, #TIMES_TOP]
        ldr     x14, [x9, #TIMES_SCALE]
        umulh   x15, x11, x14
        mul     x11, x11, x14
        extr    x11, x15, x11, #32      /* nanoseconds */
        mov     x12, #1
        GMON_ADD x12, x10, NUMBERS_TIMED, x14, x15, w12
        ldr     x14, [x10, #NUMBERS_LONGEST]
        cmp     x11, x14
        b.ls    2f
        str     x11, [x10, #NUMBERS_LONGEST]
2:      mul     x14, x11, x17
        GMON_ADD x14, x10, NUMBERS_TOTAL, x12, x15, w9
        lsr     x14, x11, #TIMES_MOST_BITS
        cbz     x14, 2f
        mov     x11, #(1 << TIMES_MOST_BITS) - 1
2:      orr     x14, x11, #TIMES_LINEAR
        clz     x14, x14
        mov     x15, #63 - 5
        sub     x14, x15, x14
        lsr     x11, x11, x14
        sub     x14, x14, #3
        add     x11, x11, x14, lsl #5   /* the bucket */
        add     x11, x10, x11, lsl #2
        add     x11, x11, #NUMBERS_BUCKETS
2:      ldxr    w14, [x11]
        adds    w14, w14, w17
        csinv   w14, w14, wzr, lo       /* all bits, where it has no room */
        stxr    w15, w14, [x11]
        cbnz    w15, 2b
        add     x12, sp, #FRAME
        ldr     x10, [x13, #CALL_SLOT]
        cmp     x12, x10
        b.eq    6f                      /* its caller has ended with it */
3:      ldr     x15, [sp, #48]
        ldp     x13, x14, [sp, #32]
        ldp     x11, x12, [sp, #16]
        .cfi_remember_state
        ldp     x9, x10, [sp], #FRAME
        .cfi_adjust_cfa_offset -FRAME
        ret
        .cfi_restore_state
        .cfi_def_cfa_offset FRAME
6:      GMON_TIMES x9, x10, 3b
        b       1b
4:      ldr     x15, [sp, #48]
        ldp     x13, x14, [sp, #32]
        ldr     x12, [sp, #24]
        GMON_SAVE
        add     x0, sp, #SAVED + FRAME
        ldr     x1, [sp]
        GMON_KEPT x1, x1
        mov     x2, x30
        bl      __gmon_times_leave
        GMON_RESTORE
        ldr     x11, [sp, #16]
        ldp     x9, x10, [sp], #FRAME
        .cfi_adjust_cfa_offset -FRAME
        ret
        END     __gmon_return

/* __gmon_library_call: what the stubs of runtime/src/linux/libcalls come to, in place of a function of a shared
 * library that code calls.
 *   in         x16 = the stub's record: selfpc, and where to go on; x30 = frompc
 *   preserved  everything but x16 and x17, which no call keeps, and the flags */
        FUNCTION HIDDEN, __gmon_library_call, 64
        hint    #34
        stp     x9, x10, [sp, #-32]!
        .cfi_adjust_cfa_offset 32
        str     x11, [sp, #16]
        ldr     x17, [x16, #RECORD_SELF]
        GMON_PROBE x30, x17
5:      ldr     x17, [x16, #RECORD_TARGET]
        ldr     x11, [sp, #16]
        .cfi_remember_state
        ldp     x9, x10, [sp], #32
        .cfi_adjust_cfa_offset -32
        br      x17
        .cfi_restore_state
        .cfi_def_cfa_offset 32          /* LLVM goes on from the one before */
        GMON_NO_HIT 6f
        b.eq    5b
6:      GMON_SAVE
        mov     x0, x30
        mov     x1, x17
        bl      __mcount_internal
        GMON_RESTORE
        b       5b
        END     __gmon_library_call

        HOOKS_END

/* __gmon_thread_pointer(): 0 before thread-local storage is set up. */
        FUNCTION HIDDEN, __gmon_thread_pointer
        hint    #34
        mrs     x0, tpidr_el0
        ret
        END     __gmon_thread_pointer

/* __gmon_table_place(): the address of this thread's __gmon_table. */
        FUNCTION HIDDEN, __gmon_table_place
        hint    #34
        mrs     x0, tpidr_el0
        adrp    x1, :gottprel:__gmon_table
        ldr     x1, [x1, #:gottprel_lo12:__gmon_table]
        add     x0, x0, x1
        ret
        END     __gmon_table_place
        .popsection
