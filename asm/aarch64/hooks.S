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
 * runtime/src/arch/stubs.rs.
 */

/* struct Record in runtime/src/linux/libcalls/stubs.rs. */
        .set    RECORD_SELF, 0
        .set    RECORD_TARGET, 8

        .pushsection .text.__gmon_hooks, "ax", %progbits

/* Counts the arc \from -> \self and goes on, unless that is left to GMON_NO_HIT, which follows. Changes x9 to
 * x11. */
        .macro  GMON_PROBE from, self
        adrp    x9, __gmon_state
        ldr     w9, [x9, #:lo12:__gmon_state]
        cmp     w9, #STATE_ON
        b.ne    4f
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

/* Calls Rust with the arc x30 -> \self, which is x16 or x17, and restores all registers that code of ours can change, but
 * x17. */
        .macro  GMON_MISS self
        sub     sp, sp, #656
        .cfi_adjust_cfa_offset 656
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
        .ifc    \self, x16
        .cfi_rel_offset 32, 120
        .endif
        str     x18, [sp, #128]
        VECTORS stp
        mov     x0, x30
        mov     x1, \self
        bl      __mcount_internal
        VECTORS ldp
        ldr     x18, [sp, #128]
        ldp     x15, x16, [sp, #112]
        .ifc    \self, x16
        .cfi_register 32, x16
        .endif
        ldp     x13, x14, [sp, #96]
        ldp     x8, x12, [sp, #80]
        ldp     x6, x7, [sp, #64]
        ldp     x4, x5, [sp, #48]
        ldp     x2, x3, [sp, #32]
        ldp     x0, x1, [sp, #16]
        ldp     x29, x30, [sp]
        .cfi_restore x29
        .cfi_same_value x30
        add     sp, sp, #656
        .cfi_adjust_cfa_offset -656
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
        stp     x9, x10, [sp, #-32]!
        .cfi_adjust_cfa_offset 32
        str     x11, [sp, #16]
        GMON_PROBE x30, x16
5:      ldr     x11, [sp, #16]
        .cfi_remember_state
        ldp     x9, x10, [sp], #32
        .cfi_adjust_cfa_offset -32
        ret     x16
        .cfi_restore_state
        .cfi_def_cfa_offset 32          /* LLVM goes on from the one before */
        GMON_NO_HIT 6f
        b.eq    5b
6:      GMON_MISS x16
        b       5b
        END     __fentry__

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
6:      GMON_MISS x17
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
