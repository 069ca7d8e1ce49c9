/* Entry hooks for 64-bit RISC-V, LP64.
 *
 * Called by every profiled function, after its prologue:
 *   _mcount, mcount   a0 = frompc, ra = selfpc
 * An ordinary call: the compiler keeps nothing in registers that a function may change but, in nested
 * functions, the static chain t2. LLVM before 20 passes no frompc, so that a0 is whatever the function
 * was called with; but then s0 points behind the return address. The Rust side of a miss finds out.
 *
 * A hit runs here: one probe of this thread's table, one increment by a single instruction, no stack.
 *
 * The names of offsets, states and factors of the hash come from Rust, which knows them too:
 * runtime/src/arch/stubs.rs.
 */

/* What every Linux has, and what a processor without a system must have. */
        .option arch, +m, +a, +c

        .pushsection .text.__gmon_hooks, "ax", %progbits

/* The address of the word that tells the table: the thread's own, where there are threads. */
        .macro  TABLE_PLACE to
        .if     HAS_THREADS
        la.tls.ie \to, __gmon_table
        add     \to, \to, tp
        .else
        lla     \to, __gmon_table
        .endif
        .endm

/* Counts the arc a0 -> \self, or goes to \miss. Changes t0, t1 and t3. */
        .macro  GMON_HOOK self, miss
        lw      t0, __gmon_state
        li      t1, STATE_ON
        bne     t0, t1, 4f
        li      t1, HASH_FROM
        mul     t0, a0, t1
        add     t0, t0, \self
        li      t1, HASH_BOTH
        mul     t0, t0, t1
        srli    t0, t0, HASH_SHIFT
        TABLE_PLACE t1
        ld      t1, 0(t1)
        ld      t3, TABLE_MASK(t1)
        and     t0, t0, t3
        add     t0, t0, t1
1:      ld      t1, ENTRY_SELF(t0)
        bne     t1, \self, 2f
        ld      t3, ENTRY_FROM(t0)
        bne     t3, a0, 3f
        addi    t0, t0, ENTRY_COUNT
        li      t1, 1
        amoadd.d zero, t1, (t0)
        ret
2:      beqz    t1, \miss
3:      addi    t0, t0, ENTRY_SIZE
        j       1b
4:      li      t1, STATE_OFF
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
        END     mcount
        SIZE    _mcount

/* __gmon_count(frompc, selfpc). Members of the archive that are hooks by another name come here. */
        FUNCTION GLOBAL, __gmon_count, 64
        GMON_HOOK a1, 5f
5:      tail    __mcount_internal
        END     __gmon_count

        HOOKS_END

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
