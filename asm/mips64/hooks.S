/* Entry hooks for 64-bit MIPS, the n64 ABI.
 *
 * Called by every profiled function, after its prologue, which need not have saved the return address:
 *   _mcount, mcount   $31 = selfpc, $1 = frompc; returns with $31 = frompc
 * Preserved: the arguments in $4 to $11 and $f12 to $f19, and $2, in which nested functions keep the static chain
 * meanwhile. Where code that does not follow the ABI's way of calls comes here, the linker sets $25 on the way.
 *
 * A hit runs here: one probe of this thread's table, one increment, no stack. An interrupt makes the conditional store
 * fail, so that an increment which a signal handler interrupts begins again.
 *
 * The names of offsets, states and factors of the hash come from Rust, which knows them too:
 * system/src/arch/stubs.rs.
 */

        .pushsection .text.__gmon_hooks, "ax", %progbits

/* Loads the address that thread-local storage is counted from. Into $3: where the kernel has to step in, it is fast for that
 * one. */
        .macro  THREAD_POINTER
        rdhwr   $3, $29
        .endm

/* Counts the arc \from -> \self and goes on, unless that is left to GMON_NO_HIT, which follows. Changes $3, $12, $13
 * and $14. */
        .macro  GMON_PROBE from, self
        ld      $12, %got_disp(__gmon_state)($24)
        lw      $12, 0($12)
        li      $13, STATE_ON
        bne     $12, $13, 4f
         lui    $13, HASH_FROM >> 16
        ori     $13, $13, HASH_FROM & 0xffff
        dmultu  $13, \from
        lui     $14, HASH_BOTH >> 16
        ori     $14, $14, HASH_BOTH & 0xffff
        mflo    $13
        daddu   $13, $13, \self
        dmultu  $13, $14
        ld      $14, %gottprel(__gmon_table)($24)
        THREAD_POINTER
        daddu   $3, $3, $14
        ld      $3, 0($3)
        ld      $14, TABLE_MASK($3)
        mflo    $12
        dsrl    $12, $12, HASH_SHIFT
        and     $12, $12, $14
        daddu   $12, $12, $3
1:      ld      $13, ENTRY_SELF($12)
        bne     $13, \self, 2f
         ld     $14, ENTRY_FROM($12)
        bne     $14, \from, 3f
         nop
5:      lld     $13, ENTRY_COUNT($12)
        daddiu  $13, $13, 1
        scd     $13, ENTRY_COUNT($12)
        beqz    $13, 5b
         nop
        .endm

/* Goes on with the probe, or to 6 with the arc. What follows runs where the state is off. */
        .macro  GMON_NO_HIT
2:      beqz    $13, 6f
         nop
3:      b       1b
         daddiu $12, $12, ENTRY_SIZE
4:      li      $13, STATE_OFF
        bne     $12, $13, 6f
         nop
        .endm

/* What a miss keeps: both return addresses, eight arguments, $2 and eight numbers. */
        .set    ROOM_ARGUMENTS, 16
        .set    ROOM_CHAIN, ROOM_ARGUMENTS + 8 * 8
        .set    ROOM_FLOATS, ROOM_CHAIN + 16
        .set    ROOM, ROOM_FLOATS + 8 * 8

/* Stores or loads what a function has been called with. */
        .macro  CALLED_WITH word, float
        .irp    n, 4, 5, 6, 7, 8, 9, 10, 11
        \word   $\n, ROOM_ARGUMENTS + 8 * (\n - 4)($sp)
        .endr
        \word   $2, ROOM_CHAIN($sp)
        .irp    n, 12, 13, 14, 15, 16, 17, 18, 19
        \float  $f\n, ROOM_FLOATS + 8 * (\n - 12)($sp)
        .endr
        .endm

/* Its own return address has a column of unwind rules that is no register's, 66, as the function's may be nowhere but in $1. To these rules the function is
 * one that was interrupted: it has called nothing else yet. */
        FUNCTION GLOBAL, mcount, 64
        NAME    GLOBAL, _mcount
        .cfi_signal_frame
        .cfi_return_column 66
        .cfi_register 66, 31
        .cfi_register 31, 1
        LANDING_PAD mcount
        GMON_PROBE $1, $31
        jr      $31
         move   $31, $1
        GMON_NO_HIT
        jr      $31
         move   $31, $1
6:      daddiu  $sp, $sp, -ROOM
        .cfi_def_cfa_offset ROOM
        sd      $1, 0($sp)
        .cfi_offset 31, -ROOM
        sd      $31, 8($sp)
        .cfi_offset 66, 8 - ROOM
        CALLED_WITH sd, sdc1
        FUNCTION_AT __mcount_internal
        move    $4, $1
        move    $5, $31
        jalr    $25
         nop
        CALLED_WITH ld, ldc1
        ld      $31, 8($sp)
        .cfi_register 66, 31
        ld      $1, 0($sp)
        .cfi_register 31, 1
        daddiu  $sp, $sp, ROOM
        .cfi_def_cfa_offset 0
        jr      $31
         move   $31, $1
        END     mcount, _mcount

/* __gmon_count(frompc, selfpc). Members of the archive that are hooks by another name come here. */
        FUNCTION GLOBAL, __gmon_count, 64
        LANDING_PAD __gmon_count
        GMON_PROBE $4, $5
        GO_BACK
        GMON_NO_HIT
        GO_BACK
6:      TAIL_CALL __mcount_internal
        END     __gmon_count

        HOOKS_END

/* __gmon_thread_pointer(): 0 before thread-local storage is set up. */
        FUNCTION HIDDEN, __gmon_thread_pointer
        THREAD_POINTER
        jr      $31
         move   $2, $3
        END     __gmon_thread_pointer

/* __gmon_table_place(): the address of this thread's __gmon_table. */
        FUNCTION HIDDEN, __gmon_table_place
        LANDING_PAD __gmon_table_place
        ld      $2, %gottprel(__gmon_table)($24)
        THREAD_POINTER
        jr      $31
         daddu  $2, $2, $3
        END     __gmon_table_place
        .popsection
