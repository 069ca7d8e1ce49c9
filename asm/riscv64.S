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

/* struct Record in runtime/src/linux/libcalls/stubs.rs. */
        .set    RECORD_SELF, 0
        .set    RECORD_TARGET, 8

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

/* __gmon_library_call: what the stubs of runtime/src/linux/libcalls come to, in place of a function of a shared
 * library that code calls.
 *   in         t3 = the stub's record: selfpc, and where to go on; ra = frompc
 *   preserved  everything but t1 and t3, which the procedure linkage table changes, too */
        .if     HAS_THREADS
        .option push
        .option arch, +d
        FUNCTION HIDDEN, __gmon_library_call, 64
        addi    sp, sp, -32
        .cfi_adjust_cfa_offset 32
        sd      t0, 0(sp)
        sd      t4, 8(sp)
        sd      t5, 16(sp)
        ld      t1, RECORD_SELF(t3)
        lw      t0, __gmon_state
        li      t4, STATE_ON
        bne     t0, t4, 4f
        li      t4, HASH_FROM
        mul     t0, ra, t4
        add     t0, t0, t1
        li      t4, HASH_BOTH
        mul     t0, t0, t4
        srli    t0, t0, HASH_SHIFT
        TABLE_PLACE t4
        ld      t4, 0(t4)
        ld      t5, TABLE_MASK(t4)
        and     t0, t0, t5
        add     t0, t0, t4
1:      ld      t4, ENTRY_SELF(t0)
        bne     t4, t1, 2f
        ld      t5, ENTRY_FROM(t0)
        bne     t5, ra, 3f
        addi    t0, t0, ENTRY_COUNT
        li      t4, 1
        amoadd.d zero, t4, (t0)
5:      ld      t1, RECORD_TARGET(t3)
        ld      t5, 16(sp)
        ld      t4, 8(sp)
        ld      t0, 0(sp)
        .cfi_remember_state
        addi    sp, sp, 32
        .cfi_adjust_cfa_offset -32
        jr      t1
        .cfi_restore_state
2:      beqz    t4, 6f
3:      addi    t0, t0, ENTRY_SIZE
        j       1b
4:      li      t4, STATE_OFF
        beq     t0, t4, 5b
6:      addi    sp, sp, -272
        .cfi_adjust_cfa_offset 272
        sd      ra, 0(sp)
        .cfi_rel_offset ra, 0
        sd      s0, 8(sp)
        .cfi_rel_offset s0, 8
        sd      a0, 16(sp)
        sd      a1, 24(sp)
        sd      a2, 32(sp)
        sd      a3, 40(sp)
        sd      a4, 48(sp)
        sd      a5, 56(sp)
        sd      a6, 64(sp)
        sd      a7, 72(sp)
        sd      t2, 80(sp)
        sd      t3, 88(sp)
        sd      t6, 96(sp)
        fsd     fa0, 104(sp)
        fsd     fa1, 112(sp)
        fsd     fa2, 120(sp)
        fsd     fa3, 128(sp)
        fsd     fa4, 136(sp)
        fsd     fa5, 144(sp)
        fsd     fa6, 152(sp)
        fsd     fa7, 160(sp)
        fsd     ft0, 168(sp)
        fsd     ft1, 176(sp)
        fsd     ft2, 184(sp)
        fsd     ft3, 192(sp)
        fsd     ft4, 200(sp)
        fsd     ft5, 208(sp)
        fsd     ft6, 216(sp)
        fsd     ft7, 224(sp)
        fsd     ft8, 232(sp)
        fsd     ft9, 240(sp)
        fsd     ft10, 248(sp)
        fsd     ft11, 256(sp)
        mv      a0, ra
        mv      a1, t1
        call    __mcount_internal
        ld      a0, 16(sp)
        ld      a1, 24(sp)
        ld      a2, 32(sp)
        ld      a3, 40(sp)
        ld      a4, 48(sp)
        ld      a5, 56(sp)
        ld      a6, 64(sp)
        ld      a7, 72(sp)
        ld      t2, 80(sp)
        ld      t3, 88(sp)
        ld      t6, 96(sp)
        fld     fa0, 104(sp)
        fld     fa1, 112(sp)
        fld     fa2, 120(sp)
        fld     fa3, 128(sp)
        fld     fa4, 136(sp)
        fld     fa5, 144(sp)
        fld     fa6, 152(sp)
        fld     fa7, 160(sp)
        fld     ft0, 168(sp)
        fld     ft1, 176(sp)
        fld     ft2, 184(sp)
        fld     ft3, 192(sp)
        fld     ft4, 200(sp)
        fld     ft5, 208(sp)
        fld     ft6, 216(sp)
        fld     ft7, 224(sp)
        fld     ft8, 232(sp)
        fld     ft9, 240(sp)
        fld     ft10, 248(sp)
        fld     ft11, 256(sp)
        ld      s0, 8(sp)
        .cfi_restore s0
        ld      ra, 0(sp)
        .cfi_restore ra
        addi    sp, sp, 272
        .cfi_adjust_cfa_offset -272
        j       5b
        END     __gmon_library_call
        .option pop
        .endif

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
