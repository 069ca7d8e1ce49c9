/* Entry hooks for 64-bit PowerPC, little-endian, ELFv2.
 *
 * Called by every profiled function, after its prologue:
 *   _mcount, mcount   lr = selfpc, 0(%r1) = the caller's stack pointer, 16 bytes above which is frompc
 * An ordinary call: the compiler keeps nothing in registers that a function may change. A function that calls
 * another one has saved its own return address and has a frame before it does.
 *
 * A hit runs here: one probe of this thread's table, one increment, no stack. An interrupt clears the reservation
 * of ldarx, so that an increment which a signal handler interrupts begins again.
 *
 * The names of offsets, states and factors of the hash come from Rust, which knows them too:
 * system/src/arch/stubs.rs.
 */

/* Where a function finds its caller's stack pointer and, from there, saves its return address. In unwind rules the
 * register for that has the number 65. */
        .set    BACK_CHAIN, 0
        .set    SAVED_LR, 16

/* struct Record in runtime/src/linux/libcalls/stubs.rs. */
        .set    RECORD_SELF, 0
        .set    RECORD_TARGET, 8

        .pushsection .text.__gmon_hooks, "ax", %progbits

        .macro  LOAD_CONSTANT to, constant
        lis     \to, \constant >> 16
        ori     \to, \to, \constant & 0xffff
        .endm

/* Counts the arc \from -> \self and goes on, unless that is left to GMON_NO_HIT, which follows. Changes \at, \one and
 * \other. */
        .macro  GMON_PROBE from, self, at, one, other
        addis   \at, %r2, __gmon_state@toc@ha
        lwz     \at, __gmon_state@toc@l(\at)
        cmpwi   \at, STATE_ON
        bne     4f
        LOAD_CONSTANT \at, HASH_FROM
        mulld   \at, \at, \from
        add     \at, \at, \self
        LOAD_CONSTANT \one, HASH_BOTH
        mulld   \at, \at, \one
        srdi    \at, \at, HASH_SHIFT
        addis   \one, %r2, __gmon_table@got@tprel@ha
        ld      \one, __gmon_table@got@tprel@l(\one)
        add     \one, \one, __gmon_table@tls
        ld      \one, 0(\one)
        ld      \other, TABLE_MASK(\one)
        and     \at, \at, \other
        add     \at, \at, \one
1:      ld      \one, ENTRY_SELF(\at)
        cmpd    \one, \self
        bne     2f
        ld      \other, ENTRY_FROM(\at)
        cmpd    \other, \from
        bne     3f
        addi    \at, \at, ENTRY_COUNT
5:      ldarx   \one, 0, \at
        addi    \one, \one, 1
        stdcx.  \one, 0, \at
        bne     5b
        .endm

/* Goes on with the probe, or to 6 with the arc. What follows runs where the state is not on: the flags say whether it
 * is off. */
        .macro  GMON_NO_HIT at, one
2:      cmpdi   \one, 0
        beq     6f
3:      addi    \at, \at, ENTRY_SIZE
        b       1b
4:      cmpwi   \at, STATE_OFF
        .endm

/* Counts the arc %r3 -> %r4 and returns, or goes on with both to __mcount_internal. */
        .macro  GMON_HOOK
        GMON_PROBE %r3, %r4, %r5, %r6, %r7
        blr
        GMON_NO_HIT %r5, %r6
        beqlr
6:      b       __mcount_internal
        .endm

        FUNCTION GLOBAL, mcount, 64
        NAME    GLOBAL, _mcount
        LANDING_PAD mcount
        SECOND_ENTRY _mcount
        mflr    %r4
        ld      %r3, BACK_CHAIN(%r1)
        ld      %r3, SAVED_LR(%r3)
        GMON_HOOK
        END     mcount, _mcount

/* __gmon_count(frompc, selfpc). Members of the archive that are hooks by another name come here. */
        FUNCTION GLOBAL, __gmon_count, 64
        LANDING_PAD __gmon_count
        GMON_HOOK
        END     __gmon_count

/* Stores or loads what a function has been called with in registers, general, floating-point and vector ones, but for
 * %r9, which it changes, and %r10. */
        .macro  ARGUMENTS_AT_SP word, float, vector
        .irp    n, 3, 4, 5, 6, 7, 8
        \word   %r\n, ROOM + 8 * (\n - 3)(%r1)
        .endr
        .irp    n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
        \float  %f\n, ROOM_FLOATS + 8 * (\n - 1)(%r1)
        .endr
        li      %r9, ROOM_VECTORS
        .irp    n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
        \vector %v\n, %r1, %r9
        addi    %r9, %r9, 16
        .endr
        .endm

/* The frame: what the callee needs, six words, 13 numbers and 12 vectors. */
        .set    ROOM, 32
        .set    ROOM_FLOATS, ROOM + 6 * 8
        .set    ROOM_VECTORS, ROOM_FLOATS + 13 * 8 + 8
        .set    ROOM_IN_ALL, ROOM_VECTORS + 12 * 16

/* __gmon_library_call: what the stubs of runtime/src/linux/libcalls come to, in place of a function of a shared
 * library that code calls.
 *   in         %r11 = the stub's record: selfpc, and where to go on; lr = frompc
 *   preserved  everything but %r0, %r2, %r11, %r12, ctr, %cr0, which calls between modules change, too
 * Below the stack pointer are 288 bytes that signal handlers leave alone. */
        FUNCTION HIDDEN, __gmon_library_call, 64
        LANDING_PAD __gmon_library_call
        std     %r9, -8(%r1)
        std     %r10, -16(%r1)
        std     %r8, -24(%r1)
        mflr    %r8
        ld      %r12, RECORD_SELF(%r11)
        GMON_PROBE %r8, %r12, %r9, %r10, %r0
7:      ld      %r12, RECORD_TARGET(%r11)
        ld      %r8, -24(%r1)
        ld      %r10, -16(%r1)
        ld      %r9, -8(%r1)
        mtctr   %r12
        bctr
        GMON_NO_HIT %r9, %r10
        beq     7b
6:      std     %r11, -32(%r1)
        std     %r8, SAVED_LR(%r1)
        .cfi_offset 65, SAVED_LR
        ld      %r8, -24(%r1)
        stdu    %r1, -(ROOM_IN_ALL + 32)(%r1)
        .cfi_def_cfa_offset ROOM_IN_ALL + 32
        ARGUMENTS_AT_SP std, stfd, stvx
        ld      %r3, ROOM_IN_ALL + 32 + SAVED_LR(%r1)
        mr      %r4, %r12
        bl      __mcount_internal
        nop
        ARGUMENTS_AT_SP ld, lfd, lvx
        addi    %r1, %r1, ROOM_IN_ALL + 32
        .cfi_def_cfa_offset 0
        ld      %r0, SAVED_LR(%r1)
        mtlr    %r0
        .cfi_restore 65
        ld      %r11, -32(%r1)
        b       7b
        END     __gmon_library_call

        HOOKS_END

/* __gmon_thread_pointer(): 0 before thread-local storage is set up. */
        FUNCTION HIDDEN, __gmon_thread_pointer
        mr      %r3, %r13
        blr
        END     __gmon_thread_pointer

/* __gmon_table_place(): the address of this thread's __gmon_table. */
        FUNCTION HIDDEN, __gmon_table_place
        LANDING_PAD __gmon_table_place
        addis   %r3, %r2, __gmon_table@got@tprel@ha
        ld      %r3, __gmon_table@got@tprel@l(%r3)
        add     %r3, %r3, __gmon_table@tls
        blr
        END     __gmon_table_place
        .popsection
