/* Entry hooks for RISC-V: of 64 bits, LP64, and of 32 bits, ILP32.
 *
 * Called by every profiled function, after its prologue:
 *   _mcount, mcount   a0 = frompc, ra = selfpc
 * An ordinary call: the compiler keeps nothing in registers that a function may change but, in nested
 * functions, the static chain t2. LLVM before 20 passes no frompc, so that a0 is whatever the function
 * was called with; but then s0 points behind the return address. The Rust side of a miss finds out.
 *
 * Called by a function of `gmon cc --dormant` whose hook is awake, before the function has done anything:
 *   __fentry__       ra = frompc, t0 = selfpc
 * Preserved: everything but t0 and t1. Arguments are in a0 to a7, fa0 to fa7 and vector registers, which the runtime does
 * not use, the static chain is in t2.
 *
 * A hit runs here: one probe of this thread's table, one increment, no stack. On 64 bits the increment is a single
 * instruction. On 32 bits one instruction adds to the count's low half; what its high half has to do with it:
 * system/src/atomic.rs. Processors without atomic instructions, on which interrupts are disabled meanwhile and then
 * are as they were, have one hart; the privileged mode that counts is the machine's.
 *
 * The names of offsets, states and factors of the hash come from Rust, which knows them too:
 * system/src/arch/stubs.rs.
 */

/* What every Linux has, and what a processor without a system must have. */
        .option arch, +m, +c
        .if     HAS_ATOMICS
        .option arch, +a
        .endif

        .pushsection .text.__gmon_hooks, "ax", %progbits

/* struct Record in runtime/src/linux/libcalls/stubs.rs. */
        .set    RECORD_SELF, 0
        .set    RECORD_TARGET, 8

/* Disables interrupts; \before becomes what UNMASK_INTERRUPTS wants, by which they are as they were before. */
        .set    INTERRUPTS, 1 << 3
        .macro  MASK_INTERRUPTS before
        csrrci  \before, mstatus, INTERRUPTS
        .endm

        .macro  UNMASK_INTERRUPTS before
        andi    \before, \before, INTERRUPTS
        csrs    mstatus, \before
        .endm

/* The address of the word that tells the table: the thread's own, where there are threads. */
        .macro  TABLE_PLACE to
        .if     HAS_THREADS
        la.tls.ie \to, __gmon_table
        add     \to, \to, tp
        .else
        lla     \to, __gmon_table
        .endif
        .endm

/* Adds one to the count of the entry at t0, on 32 bits to its low half. Changes t0, \one and \other. */
        .macro  GMON_INCREMENT one, other
        .if     WORD == 8
        addi    t0, t0, ENTRY_COUNT
        li      \one, 1
        amoadd.d zero, \one, (t0)
        .elseif HAS_ATOMICS
        addi    t0, t0, ENTRY_COUNT
        li      \one, 1
        amoadd.w \other, \one, (t0)
        addi    \other, \other, 1
        slli    \other, \other, 1
        beqz    \other, 7f
8:
        .else
        MASK_INTERRUPTS \one
        lw      \other, ENTRY_COUNT(t0)
        addi    \other, \other, 1
        sw      \other, ENTRY_COUNT(t0)
        slli    \other, \other, 1
        beqz    \other, 7f
8:      UNMASK_INTERRUPTS \one
        .endif
        .endm

/* Goes on with the count's high half, on 32 bits. */
        .macro  GMON_INCREMENT_HIGH one, other
        .if     WORD == 4
        .if     HAS_ATOMICS
7:      addi    t0, t0, 4
        amoadd.w zero, \one, (t0)
        .else
7:      lw      \other, ENTRY_COUNT + 4(t0)
        addi    \other, \other, 1
        sw      \other, ENTRY_COUNT + 4(t0)
        .endif
        j       8b
        .endif
        .endm

/* Counts the arc \from -> \self and goes on, unless that is left to GMON_NO_HIT, which follows. Changes t0, \one
 * and \other. */
        .macro  GMON_PROBE from, self, one, other
        lw      t0, __gmon_state
        li      \one, STATE_ON
        bne     t0, \one, 4f
        li      \one, HASH_FROM
        mul     t0, \from, \one
        add     t0, t0, \self
        li      \one, HASH_BOTH
        mul     t0, t0, \one
        srli    t0, t0, HASH_SHIFT
        TABLE_PLACE \one
        LOAD    \one, 0, \one
        LOAD    \other, TABLE_MASK, \one
        and     t0, t0, \other
        add     t0, t0, \one
1:      LOAD    \one, ENTRY_SELF, t0
        bne     \one, \self, 2f
        LOAD    \other, ENTRY_FROM, t0
        bne     \other, \from, 3f
        GMON_INCREMENT \one, \other
        .endm

/* Goes on with the count's high half, or with the probe, or to \miss with the arc. What follows runs where the state is
 * not on: it is in t0, and \one is what it would be if off. */
        .macro  GMON_NO_HIT one, other, miss
        GMON_INCREMENT_HIGH \one, \other
2:      beqz    \one, \miss
3:      addi    t0, t0, ENTRY_SIZE
        j       1b
4:      li      \one, STATE_OFF
        .endm

/* Counts the arc a0 -> \self and returns, or goes to \miss. */
        .macro  GMON_HOOK self, miss
        GMON_PROBE a0, \self, t1, t3
        ret
        GMON_NO_HIT t1, t3, \miss
        bne     t0, t1, \miss
        ret
        .endm

        FUNCTION GLOBAL, mcount, 64
        NAME    GLOBAL, _mcount
        GMON_HOOK ra, 5f
5:      mv      a1, ra
        mv      a2, s0
        mv      a3, sp
        tail    __gmon_framed_miss
        END     mcount, _mcount

/* __gmon_count(frompc, selfpc). Members of the archive that are hooks by another name come here. */
        FUNCTION GLOBAL, __gmon_count, 64
        GMON_HOOK a1, 5f
5:      tail    __mcount_internal
        END     __gmon_count

/* Stores or loads the floating point registers that a call may change. */
        .macro  FLOATS instruction
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7
        \instruction fa\n, 104 + 8 * \n(sp)
        .endr
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        \instruction ft\n, 168 + 8 * \n(sp)
        .endr
        .endm

        .if     HAS_THREADS
        .option push
        .option arch, +d

/* Saves what GMON_PROBE changes beside t1. In the unwind rules of __fentry__ column 32 is its return address, in t0. */
        .macro  GMON_ENTER
        addi    sp, sp, -32
        .cfi_adjust_cfa_offset 32
        sd      t0, 0(sp)
        .cfi_rel_offset 32, 0
        sd      t4, 8(sp)
        sd      t5, 16(sp)
        .endm

        .macro  GMON_LEAVE
        ld      t5, 16(sp)
        ld      t4, 8(sp)
        ld      t0, 0(sp)
        .cfi_remember_state
        .cfi_register 32, t0
        addi    sp, sp, 32
        .cfi_adjust_cfa_offset -32
        .endm

/* Calls Rust with the arc ra -> t1, and restores all other registers that code of ours can change, but those that GMON_LEAVE
 * restores. */
        .macro  GMON_MISS
        addi    sp, sp, -272
        .cfi_adjust_cfa_offset 272
        sd      ra, 0(sp)
        .cfi_rel_offset ra, 0
        sd      s0, 8(sp)
        .cfi_rel_offset s0, 8
        sd      a0, 16(sp)
        ARGUMENTS sd
        sd      t2, 80(sp)
        sd      t3, 88(sp)
        sd      t6, 96(sp)
        FLOATS  fsd
        mv      a0, ra
        mv      a1, t1
        call    __mcount_internal
        ld      a0, 16(sp)
        ARGUMENTS ld
        ld      t2, 80(sp)
        ld      t3, 88(sp)
        ld      t6, 96(sp)
        FLOATS  fld
        ld      s0, 8(sp)
        .cfi_restore s0
        ld      ra, 0(sp)
        .cfi_same_value ra
        addi    sp, sp, 272
        .cfi_adjust_cfa_offset -272
        .endm

/* To the unwind rules the function that calls it is one that was interrupted: it has done nothing yet, and its own return
 * address is in ra. */
        FUNCTION HIDDEN, __fentry__, 64
.Lgmon_fentry:
        .cfi_signal_frame
        .cfi_return_column 32
        .cfi_register 32, t0
        GMON_ENTER
        mv      t1, t0
        GMON_PROBE ra, t1, t4, t5
5:      GMON_LEAVE
        jr      t0
        .cfi_restore_state
        .cfi_def_cfa_offset 32          /* LLVM goes on from the one before */
        GMON_NO_HIT t4, t5, 6f
        beq     t0, t4, 5b
6:      GMON_MISS
        j       5b
        END     __fentry__

/* __gmon_library_call: what the stubs of runtime/src/linux/libcalls come to, in place of a function of a shared
 * library that code calls.
 *   in         t3 = the stub's record: selfpc, and where to go on; ra = frompc
 *   preserved  everything but t1 and t3, which the procedure linkage table changes, too */
        FUNCTION HIDDEN, __gmon_library_call, 64
        GMON_ENTER
        ld      t1, RECORD_SELF(t3)
        GMON_PROBE ra, t1, t4, t5
5:      ld      t1, RECORD_TARGET(t3)
        GMON_LEAVE
        jr      t1
        .cfi_restore_state
        .cfi_def_cfa_offset 32          /* LLVM goes on from the one before */
        GMON_NO_HIT t4, t5, 6f
        beq     t0, t4, 5b
6:      GMON_MISS
        j       5b
        END     __gmon_library_call
        .option pop
        .endif

        HOOKS_END

/* __gmon_mask_interrupts(): disables interrupts. Returns what __gmon_unmask_interrupts wants, by which they are as
 * they were before. */
        .ifeq   HAS_ATOMICS
        FUNCTION HIDDEN, __gmon_mask_interrupts
        MASK_INTERRUPTS a0
        ret
        END     __gmon_mask_interrupts

        FUNCTION HIDDEN, __gmon_unmask_interrupts
        UNMASK_INTERRUPTS a0
        ret
        END     __gmon_unmask_interrupts
        .endif

/* __gmon_thread_pointer(): 0 before thread-local storage is set up. */
        FUNCTION HIDDEN, __gmon_thread_pointer
        mv      a0, tp
        ret
        END     __gmon_thread_pointer

/* __gmon_table_place(): the address of this thread's __gmon_table. */
        FUNCTION HIDDEN, __gmon_table_place
        TABLE_PLACE a0
        ret
        END     __gmon_table_place
        .popsection
