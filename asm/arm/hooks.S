/* Entry hooks for 32-bit ARM, AAPCS with hardware floating point, V7.
 *
 * Called by every profiled function, from ARM code or Thumb code:
 *   __gnu_mcount_nc   gcc, LLVM since 14: (sp) = frompc, lr = selfpc; the return address that was pushed
 *                     becomes lr again. As the first instruction: the arguments are still in r0-r3 and
 *                     d0-d7.
 *   mcount, _mcount   clang 14: after the prologue, lr = selfpc; the frame pointer, which is r7 in Thumb
 *                     code and r11 in ARM code, points to the caller's, then frompc. An ordinary call.
 * Addresses of Thumb code are odd; what is counted is even.
 *
 * A hit runs here: one probe of this thread's table, one increment. An exception clears the monitor of
 * ldrexd, so that an increment which a signal handler interrupts begins again.
 *
 * Lists of registers are avoided: to Rust, their braces are places for its own.
 *
 * The names of offsets, states and factors of the hash come from Rust, which knows them too:
 * system/src/arch/stubs.rs.
 */

        .fpu    vfpv3-d16

/* struct Record in runtime/src/linux/libcalls/stubs.rs. */
        .set    RECORD_SELF, 0
        .set    RECORD_TARGET, 4

        .pushsection .text.__gmon_hooks, "ax", %progbits

/* Counts the arc r0 -> r1 and goes on, unless that is left to GMON_NO_HIT, which follows. Changes r2, r3 and
 * ip; r0 and r1 as well if it goes on. */
        .macro  GMON_PROBE
        ldr     r2, 7f
1:      ldr     r2, [pc, r2]
        cmp     r2, #STATE_ON
        bne     5f
        HASH
        ldr     ip, 8f
2:      ldr     ip, [pc, ip]
        mrc     p15, 0, r3, c13, c0, 3
        ldr     r3, [r3, ip]
        ldr     ip, [r3, #TABLE_MASK]
        and     r2, ip, r2, lsr #HASH_SHIFT
        add     r2, r3, r2
3:      ldr     r3, [r2, #ENTRY_SELF]
        ldr     ip, [r2, #ENTRY_FROM]
        cmp     r3, r1
        cmpeq   ip, r0
        bne     6f
        add     ip, r2, #ENTRY_COUNT
4:      ldrexd  r0, r1, [ip]
        adds    r0, r0, #1
        adc     r1, r1, #0
        strexd  r2, r0, r1, [ip]
        cmp     r2, #0
        bne     4b
        .endm

/* Goes on with the probe, or to \miss with the arc, or to \off. */
        .macro  GMON_NO_HIT miss, off
5:      cmp     r2, #STATE_OFF
        beq     \off
        b       \miss
6:      add     r2, r2, #ENTRY_SIZE
        cmp     r3, #0
        bne     3b
        b       \miss
7:      .word   __gmon_state - (1b + 8)
8:      .word   __gmon_table(gottpoff) + (. - 2b - 8)
        .endm

/* Calls the Rust side of a miss. There is room for d0-7, which it may change, at the stack pointer. */
        .macro  GMON_MISS
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7
        vstr    d\n, [sp, #8 * \n]
        .endr
        bl      __mcount_internal
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7
        vldr    d\n, [sp, #8 * \n]
        .endr
        .endm

        FUNCTION GLOBAL, mcount, 64
        NAME    GLOBAL, _mcount
        tst     lr, #1
        ldrne   r0, [r7, #4]
        ldreq   r0, [r11, #4]
        EVEN_ARC
        GMON_HOOK
        END     mcount, _mcount

        FUNCTION GLOBAL, __gnu_mcount_nc, 64
        .cfi_def_cfa_offset 4
        strd    r0, r1, [sp, #-16]!
        .cfi_adjust_cfa_offset 16
        strd    r2, r3, [sp, #8]
        ldr     r0, [sp, #16]
        EVEN_ARC
        GMON_PROBE
9:      mov     ip, lr
        .cfi_register lr, ip
        ldr     lr, [sp, #16]
        ldrd    r2, r3, [sp, #8]
        ldrd    r0, r1, [sp], #20
        .cfi_def_cfa_offset 0
        bx      ip
        .cfi_def_cfa_offset 20
        .cfi_restore lr
        GMON_NO_HIT 10f, 9b
        /* The stack may have any alignment. */
10:
        KEEP_TWO lr
        mov     r4, sp
        .cfi_def_cfa_register r4
        sub     sp, sp, #64
        bic     sp, sp, #7
        GMON_MISS
        mov     sp, r4
        .cfi_def_cfa_register sp
        RESTORE_TWO lr
        b       9b
        END     __gnu_mcount_nc

/* __gmon_library_call: what the stubs of runtime/src/linux/libcalls come to, in place of a function of a shared
 * library that code calls.
 *   in         ip = the stub's record: selfpc, and where to go on; lr = frompc, odd in Thumb code
 *   preserved  everything but ip and the flags, which linkers' code between caller and function may change, too
 * At a call between modules the stack has its alignment. Who walks the stack knows the frames by the marks. */
        FUNCTION HIDDEN, __gmon_library_call, 64
        strd    r0, r1, [sp, #-24]!
        .cfi_adjust_cfa_offset 24
        strd    r2, r3, [sp, #8]
        str     ip, [sp, #16]
        ldr     r1, [ip, #RECORD_SELF]
        bic     r0, lr, #1
        GMON_PROBE
9:      ldr     ip, [sp, #16]
        ldrd    r2, r3, [sp, #8]
        ldrd    r0, r1, [sp], #24
        .cfi_adjust_cfa_offset -24
11:     ldr     pc, [ip, #RECORD_TARGET]
        .cfi_adjust_cfa_offset 24
        GMON_NO_HIT 10f, 9b
10:     sub     sp, sp, #72
        .cfi_adjust_cfa_offset 72
12:     str     lr, [sp, #64]
        .cfi_rel_offset lr, 64
13:     GMON_MISS
        ldr     lr, [sp, #64]
        .cfi_restore lr
14:     add     sp, sp, #72
        .cfi_adjust_cfa_offset -72
15:     b       9b
        END     __gmon_library_call

        OBJECT  HIDDEN, __gmon_library_marks
        .irp    label, 11b, 12b, 13b, 14b, 15b
        .word   \label - __gmon_library_call
        .endr
        SIZE    __gmon_library_marks

        GMON_COUNT

/* __gmon_thread_pointer(): 0 before thread-local storage is set up. */
        FUNCTION HIDDEN, __gmon_thread_pointer
        mrc     p15, 0, r0, c13, c0, 3
        bx      lr
        END     __gmon_thread_pointer

/* __gmon_table_place(): the address of this thread's __gmon_table. */
        FUNCTION HIDDEN, __gmon_table_place
        ldr     r1, 2f
1:      ldr     r1, [pc, r1]
        mrc     p15, 0, r0, c13, c0, 3
        add     r0, r0, r1
        bx      lr
2:      .word   __gmon_table(gottpoff) + (. - 1b - 8)
        END     __gmon_table_place
        .popsection
