/* Entry hooks for Cortex-M of V6-M (M0, M0+), AAPCS. See asm/thumbv7m/hooks.S for who calls them, and what is the same there.
 *
 * V6-M has no exclusive loads. So interrupts are disabled for the few instructions of an increment, and then are as
 * they were; both halves of the count grow at once. Few instructions reach registers from r8 on.
 */

        .pushsection .text.__gmon_hooks, "ax", %progbits

/* Makes the address of code in a register even. */
        .macro  EVEN register
        lsrs    \register, \register, #1
        lsls    \register, \register, #1
        .endm

/* Counts the arc r0 -> r1 and goes on, unless that is left to GMON_NO_HIT, which follows. Changes r2, r3 and r4. */
        .macro  GMON_PROBE
        ldr     r2, 10f
        ldr     r2, [r2]
        cmp     r2, #STATE_ON
        bne     5f
        ldr     r2, 12f
        muls    r2, r0, r2
        adds    r2, r2, r1
        ldr     r3, 13f
        muls    r2, r3, r2
        lsrs    r2, r2, #HASH_SHIFT
        ldr     r3, 11f
        ldr     r3, [r3]
        mov     r4, r3
        subs    r4, r4, #(0 - TABLE_MASK)
        ldr     r4, [r4]
        ands    r2, r2, r4
        adds    r2, r2, r3
1:      ldr     r3, [r2, #ENTRY_SELF]
        cmp     r3, r1
        bne     6f
        ldr     r4, [r2, #ENTRY_FROM]
        cmp     r4, r0
        bne     6f
        mrs     r4, primask
        cpsid   i
        ldr     r3, [r2, #ENTRY_COUNT]
        adds    r3, r3, #1
        str     r3, [r2, #ENTRY_COUNT]
        lsls    r3, r3, #1
        beq     3f
2:      msr     primask, r4
        .endm

/* Goes on with the probe, or with the count's high half, then to the end of the increment; or to \miss with the arc,
 * or to \off if nothing is counted. */
        .macro  GMON_NO_HIT miss, off
3:      ldr     r3, [r2, #ENTRY_COUNT + 4]
        adds    r3, r3, #1
        str     r3, [r2, #ENTRY_COUNT + 4]
        b       2b
5:      cmp     r2, #STATE_OFF
        beq     \off
        b       \miss
6:      NEXT_ENTRY 1b, \miss
10:     .word   __gmon_state
11:     .word   __gmon_table
12:     .word   HASH_FROM
13:     .word   HASH_BOTH
        .endm

        FUNCTION GLOBAL, mcount, 64
        NAME    GLOBAL, _mcount
        push    {{r4, lr}}
        .cfi_def_cfa_offset 8
        .cfi_offset r4, -8
        .cfi_offset lr, -4
        ldr     r0, [r7, #4]
        EVEN    r0
        mov     r1, lr
        EVEN    r1
        GMON_PROBE
9:      pop     {{r4, pc}}
        GMON_NO_HIT 8f, 9b
8:      bl      __mcount_internal
        b       9b
        END     mcount, _mcount

        FUNCTION GLOBAL, __gnu_mcount_nc, 64
        .cfi_def_cfa_offset 4
        push    {{r0, r1, r2, r3, r4, r5, lr}}
        .cfi_def_cfa_offset 32
        .cfi_offset lr, -8
        .cfi_offset r4, -16
        ldr     r0, [sp, #28]
        EVEN    r0
        mov     r1, lr
        EVEN    r1
        GMON_PROBE
9:      ldr     r0, [sp, #28]
        ldr     r1, [sp, #24]
        str     r1, [sp, #28]
        .cfi_offset lr, -4
        mov     lr, r0
        pop     {{r0, r1, r2, r3, r4, r5}}
        .cfi_def_cfa_offset 8
        .cfi_restore r4
        add     sp, sp, #4
        .cfi_def_cfa_offset 4
        pop     {{pc}}
        .cfi_def_cfa_offset 32
        .cfi_offset lr, -8
        .cfi_offset r4, -16
        GMON_NO_HIT 8f, 9b
8:      mov     r4, ip
        bl      __mcount_internal
        mov     ip, r4
        b       9b
        END     __gnu_mcount_nc

/* __gmon_count(frompc, selfpc). Members of the archive that are hooks by another name come here. */
        FUNCTION GLOBAL, __gmon_count, 64
        push    {{r4, lr}}
        .cfi_def_cfa_offset 8
        .cfi_offset r4, -8
        .cfi_offset lr, -4
        GMON_PROBE
9:      pop     {{r4, pc}}
        GMON_NO_HIT 8f, 9b
8:      bl      __mcount_internal
        b       9b
        END     __gmon_count

        HOOKS_END

/* __gmon_mask_interrupts(): disables interrupts. Returns what __gmon_unmask_interrupts wants, by which they are as
 * they were before. */
        FUNCTION HIDDEN, __gmon_mask_interrupts
        mrs     r0, primask
        cpsid   i
        bx      lr
        END     __gmon_mask_interrupts

        FUNCTION HIDDEN, __gmon_unmask_interrupts
        msr     primask, r0
        bx      lr
        END     __gmon_unmask_interrupts

        NO_THREADS
        .popsection
