/* Entry hooks for AArch64, AAPCS64.
 *
 * Called by every profiled function, after its prologue:
 *   _mcount, mcount   x0 = frompc, x30 = selfpc, x29 = the frame record: caller's x29, then frompc
 * An ordinary call: the compiler keeps nothing in registers that a function may change. LLVM before
 * 20 passes no frompc, so that x0 is whatever the function was called with; and gcc before 10 passes it
 * with the signature of pointer authentication. Neither is found in a table; the Rust side of a miss
 * finds out and looks at the frame record.
 *
 * A hit runs here: one probe of this thread's table, one increment, no stack. An exception clears the
 * monitor of ldxr, so that an increment which a signal handler interrupts begins again.
 *
 * The names of offsets, states and factors of the hash come from Rust, which knows them too:
 * runtime/src/arch/stubs.rs.
 */

        .pushsection .text.__gmon_hooks, "ax", %progbits

/* Counts the arc x0 -> \self, or goes to \miss. Changes x9 to x15. */
        .macro  GMON_HOOK self, miss
        hint    #34                     /* bti c */
        adrp    x9, __gmon_state
        ldr     w9, [x9, #:lo12:__gmon_state]
        cmp     w9, #STATE_ON
        b.ne    4f
        mov     w9, #HASH_FROM & 0xffff
        movk    w9, #HASH_FROM >> 16, lsl #16
        madd    x9, x0, x9, \self
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
        ccmp    x11, x0, #0, eq
        b.ne    3f
        add     x9, x9, #ENTRY_COUNT
2:      ldxr    x10, [x9]
        add     x10, x10, #1
        stxr    w11, x10, [x9]
        cbnz    w11, 2b
        ret
3:      add     x9, x9, #ENTRY_SIZE
        cbnz    x10, 1b
        b       \miss
4:      cmp     w9, #STATE_OFF
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
        END     mcount
        SIZE    _mcount
        SIZE    __mcount

/* __gmon_count(frompc, selfpc). Members of the archive that are hooks by another name come here. */
        FUNCTION GLOBAL, __gmon_count, 64
        GMON_HOOK x1, __mcount_internal
        END     __gmon_count

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
