/* Entry hooks for IBM Z in 64 bits, by the ELF ABI of Linux.
 *
 * Called by every profiled function before its first instruction:
 *   _mcount      %r14 = selfpc, 8(%r15) = frompc: the function keeps its return address there for the time of the
 *                call (-pg)
 *   __fentry__   %r0 = selfpc, %r14 = frompc (-pg -mfentry)
 * And where LLVM calls hooks without -mfentry:
 *   mcount       %r14 = selfpc; the caller is not told
 * Preserved by the first two: everything but %r1 and the condition code. The function has not begun: its arguments are
 * in %r2 to %r6, %f0, %f2, %f4, %f6 and vector registers, which the runtime does not use, the static chain is in %r0.
 * It may use what its caller has set aside for it on the stack, from 16(%r15) to 159(%r15), and so may the hook.
 *
 * A hit runs here: one probe of this thread's table, one increment by a single instruction, no frame.
 *
 * The names of offsets, states and factors of the hash come from Rust, which knows them too:
 * system/src/arch/stubs.rs.
 */

/* Where a function may save its arguments, its return address and the stack pointer. */
        .set    SAVED_R2, 16
        .set    SAVED_R7, 56
        .set    SAVED_R14, 112
        .set    SAVED_F0, 128
/* What a function needs of the stack to call another one, and how far the canonical frame address is above the caller's
 * stack pointer. */
        .set    FRAME, 160

/* struct Record in runtime/src/linux/libcalls/stubs.rs. */
        .set    RECORD_SELF, 0
        .set    RECORD_TARGET, 8

        .pushsection .text.__gmon_hooks, "ax", %progbits

/* Loads the address that thread-local storage is counted from. */
        .macro  THREAD_POINTER to
        ear     \to, %a0
        sllg    \to, \to, 32
        ear     \to, %a1
        .endm

/* Goes on if hooks may count on their own, and else to 4. */
        .macro  GMON_STATE
        lrl     %r1, __gmon_state
        chi     %r1, STATE_ON
        jne     4f
        .endm

/* Counts the arc \from -> \self and goes on, unless that is left to GMON_NO_HIT, which follows. Changes %r1, \one and
 * \other. */
        .macro  GMON_PROBE from, self, one, other
        llilf   %r1, HASH_FROM
        msgr    %r1, \from
        agr     %r1, \self
        llilf   \one, HASH_BOTH
        msgr    %r1, \one
        srlg    %r1, %r1, HASH_SHIFT
        THREAD_POINTER \one
        lgrl    \other, __gmon_table@INDNTPOFF
        lg      \one, 0(\other,\one)
        ng      %r1, TABLE_MASK(\one)
        agr     %r1, \one
1:      cg      \self, ENTRY_SELF(%r1)
        jne     2f
        cg      \from, ENTRY_FROM(%r1)
        jne     3f
        agsi    ENTRY_COUNT(%r1), 1     /* one instruction: a signal cannot split it */
        .endm

/* Goes on with the probe, or to \miss with the arc. */
        .macro  GMON_NO_HIT one, miss
2:      ltg     \one, ENTRY_SELF(%r1)
        je      \miss
3:      aghi    %r1, ENTRY_SIZE
        j       1b
        .endm

/* Goes to \miss with the arc, or, where the state is off, to \off. */
        .macro  GMON_NOT_ON miss, off
4:      chi     %r1, STATE_OFF
        jne     \miss
        br      \off
        .endm

/* Saves what a function has been called with, and calls Rust with an arc. */
        .macro  GMON_MISS from, self
        stmg    %r2, %r5, SAVED_R2(%r15)
        stmg    %r14, %r15, SAVED_R14(%r15)
        .cfi_offset %r14, SAVED_R14 - FRAME
        .cfi_offset %r15, SAVED_R14 + 8 - FRAME
        stg     %r0, SAVED_R7(%r15)
        .ifc    \self, %r0
        .cfi_offset 32, SAVED_R7 - FRAME
        .endif
        .irp    n, 0, 2, 4, 6
        std     %f\n, SAVED_F0 + 4 * \n(%r15)
        .endr
        aghi    %r15, -FRAME
        .cfi_adjust_cfa_offset FRAME
        lgr     %r2, \from
        lgr     %r3, \self
        brasl   %r14, __mcount_internal
        aghi    %r15, FRAME
        .cfi_adjust_cfa_offset -FRAME
        .irp    n, 0, 2, 4, 6
        ld      %f\n, SAVED_F0 + 4 * \n(%r15)
        .endr
        lg      %r0, SAVED_R7(%r15)
        .ifc    \self, %r0
        .cfi_register 32, %r0
        .endif
        lg      %r14, SAVED_R14(%r15)
        .cfi_restore %r14
        .cfi_restore %r15
        lmg     %r2, %r5, SAVED_R2(%r15)
        .endm

        FUNCTION GLOBAL, mcount, 64
        lghi    %r2, 0
        lgr     %r3, %r14
        jg      __mcount_internal
        END     mcount

        FUNCTION GLOBAL, _mcount, 64
        GMON_STATE
        stmg    %r2, %r4, SAVED_R2(%r15)
        lg      %r2, 8(%r15)
        GMON_PROBE %r2, %r14, %r3, %r4
        lmg     %r2, %r4, SAVED_R2(%r15)
        br      %r14
        GMON_NO_HIT %r3, 5f
        GMON_NOT_ON 6f, %r14
5:      lmg     %r2, %r4, SAVED_R2(%r15)
6:      lg      %r1, 8(%r15)
        GMON_MISS %r1, %r14
        br      %r14
        END     _mcount

/* Its own return address has a column of unwind rules that is no register's of programs, as the function's is still in
 * %r14. To these rules the function is one that was interrupted: it has done nothing yet. */
        FUNCTION GLOBAL, __fentry__, 64
        .cfi_signal_frame
        .cfi_return_column 32
        .cfi_register 32, %r0
        GMON_STATE
        stmg    %r3, %r4, SAVED_R2(%r15)
        GMON_PROBE %r14, %r0, %r3, %r4
        lmg     %r3, %r4, SAVED_R2(%r15)
        lgr     %r1, %r0
        br      %r1
        GMON_NO_HIT %r3, 5f
4:      chi     %r1, STATE_OFF
        jne     6f
        lgr     %r1, %r0
        br      %r1
5:      lmg     %r3, %r4, SAVED_R2(%r15)
6:      GMON_MISS %r14, %r0
        lgr     %r1, %r0
        br      %r1
        END     __fentry__

/* __gmon_count(frompc, selfpc). Members of the archive that are hooks by another name come here. */
        FUNCTION GLOBAL, __gmon_count, 64
        GMON_STATE
        GMON_PROBE %r2, %r3, %r4, %r5
        br      %r14
        GMON_NO_HIT %r4, 5f
        GMON_NOT_ON 5f, %r14
5:      jg      __mcount_internal
        END     __gmon_count

/* __gmon_library_call: what the stubs of runtime/src/linux/libcalls come to, in place of a function of a shared
 * library that code calls.
 *   in         %r0 = the stub's record: selfpc, and where to go on; %r14 = frompc
 *   preserved  everything but %r0 and %r1, which the procedure linkage table changes, too */
        FUNCTION HIDDEN, __gmon_library_call, 64
        GMON_STATE
        stmg    %r2, %r4, SAVED_R2(%r15)
        lgr     %r1, %r0
        lg      %r2, RECORD_SELF(%r1)
        GMON_PROBE %r14, %r2, %r3, %r4
        lmg     %r2, %r4, SAVED_R2(%r15)
7:      lgr     %r1, %r0
        lg      %r1, RECORD_TARGET(%r1)
        br      %r1
        GMON_NO_HIT %r3, 5f
4:      chi     %r1, STATE_OFF
        je      7b
        j       6f
5:      lmg     %r2, %r4, SAVED_R2(%r15)
6:      lgr     %r1, %r0
        lg      %r1, RECORD_SELF(%r1)
        GMON_MISS %r14, %r1
        j       7b
        END     __gmon_library_call

        HOOKS_END

/* __gmon_thread_pointer(): 0 before thread-local storage is set up. */
        FUNCTION HIDDEN, __gmon_thread_pointer
        THREAD_POINTER %r2
        br      %r14
        END     __gmon_thread_pointer

/* __gmon_table_place(): the address of this thread's __gmon_table. */
        FUNCTION HIDDEN, __gmon_table_place
        THREAD_POINTER %r2
        lgrl    %r1, __gmon_table@INDNTPOFF
        agr     %r2, %r1
        br      %r14
        END     __gmon_table_place
        .popsection
