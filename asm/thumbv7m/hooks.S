/* Entry hooks for Cortex-M from V7-M on (M3, M4, M7, M33 …), AAPCS with or without floating point registers.
 *
 * Called by every profiled function:
 *   __gnu_mcount_nc   gcc: (sp) = frompc, lr = selfpc; the return address that was pushed becomes lr again. As
 *                     the first instruction: the arguments are still in r0-r3, the static chain of a nested
 *                     function in ip.
 *   mcount, _mcount   LLVM: after the prologue, lr = selfpc; the frame pointer r7 points to the caller's, then
 *                     frompc. An ordinary call.
 * Addresses of Thumb code are odd; what is counted is even. The frompc of an interrupt handler is what the
 * processor returns from it by, from 0xffffffe0 on: nobody's code, so a caller outside the program.
 *
 * A hit runs here: one probe of the table, one increment of the count's low half. An interrupt clears the monitor
 * of ldrex, so that an increment which it interrupts begins again. Interrupts stay as they are: code without
 * privileges could not disable them. What the count's high half has to do with it: system/src/atomic.rs.
 *
 * The braces of lists of registers are doubled for Rust, to which single ones are places for its own.
 *
 * The names of offsets, states and factors of the hash come from Rust, which knows them too:
 * system/src/arch/stubs.rs.
 */

        .pushsection .text.__gmon_hooks, "ax", %progbits

/* Counts the arc r0 -> r1 and goes on, unless that is left to GMON_NO_HIT, which follows. Changes r2, r3 and
 * ip. */
        .macro  GMON_PROBE
        ldr     r2, 7f
        ldr     r2, [r2]
        cmp     r2, #STATE_ON
        bne     5f
        HASH
        ldr     r3, 8f
        ldr     r3, [r3]
        ldr     ip, [r3, #TABLE_MASK]
        and     r2, ip, r2, lsr #HASH_SHIFT
        add     r2, r2, r3
1:      ldr     r3, [r2, #ENTRY_SELF]
        ldr     ip, [r2, #ENTRY_FROM]
        cmp     r3, r1
        it      eq
        cmpeq   ip, r0
        bne     6f
2:      ldrex   r3, [r2, #ENTRY_COUNT]
        adds    r3, r3, #1
        strex   ip, r3, [r2, #ENTRY_COUNT]
        cmp     ip, #0
        bne     2b
        lsls    r3, r3, #1
        beq     3f
        .endm

/* Goes on with the probe, or with the count's high half, then to \hit; or to \miss with the arc, or to \hit
 * if nothing is counted. */
        .macro  GMON_NO_HIT miss, hit
3:      ldrex   r3, [r2, #ENTRY_COUNT + 4]
        adds    r3, r3, #1
        strex   ip, r3, [r2, #ENTRY_COUNT + 4]
        cmp     ip, #0
        bne     3b
        b       \hit
5:      cmp     r2, #STATE_OFF
        beq     \hit
        b       \miss
6:      NEXT_ENTRY 1b, \miss
7:      .word   __gmon_state
8:      .word   __gmon_table
        .endm

        FUNCTION GLOBAL, mcount, 64
        NAME    GLOBAL, _mcount
        ldr     r0, [r7, #4]
        EVEN_ARC
        GMON_HOOK
        END     mcount, _mcount

        FUNCTION GLOBAL, __gnu_mcount_nc, 64
        .cfi_def_cfa_offset 4
        push    {{r0, r1, r2, r3, ip}}
        .cfi_adjust_cfa_offset 20
        ldr     r0, [sp, #20]
        EVEN_ARC
        GMON_PROBE
9:      ldr     r0, [sp, #20]
        str     lr, [sp, #20]
        .cfi_offset lr, -4
        mov     lr, r0
        pop     {{r0, r1, r2, r3, ip, pc}}
        .cfi_restore lr
        GMON_NO_HIT 10f, 9b
10:     push    {{r3, lr}}
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset lr, 4
        bl      __mcount_internal
        pop     {{r3, lr}}
        .cfi_adjust_cfa_offset -8
        .cfi_restore lr
        b       9b
        END     __gnu_mcount_nc

        GMON_COUNT

        NO_THREADS
        .popsection
