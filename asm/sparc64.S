/* Entry hooks for 64-bit SPARC, V9.
 *
 * Called by every profiled function, after its prologue, which has taken a register window:
 *   _mcount, mcount   %i7 = frompc, %o7 = selfpc
 * Both are addresses of calls, not of what comes after. The hook is an ordinary call: the compiler keeps
 * nothing in %o0-%o5, %g1, %g4, %g5 and the floating-point registers.
 *
 * A hit runs here: one probe of this thread's table, one increment, no window and no stack. casx
 * stores only if nobody has counted since the load, so that an increment which a signal handler
 * interrupts begins again.
 *
 * Data is found from the address of a call: `sym+N` in an operand is at the distance of sym from that
 * call if the instruction comes N bytes behind it.
 *
 * The names of offsets, states and factors of the hash come from Rust, which knows them too:
 * runtime/src/arch/stubs.rs.
 */

        .pushsection .text.__gmon_hooks, "ax", %progbits

/* Counts the arc \from -> %o1, or calls \miss, and returns to \back. */
        .macro  GMON_HOOK from, back, miss
        call    2f
        mov     \from, %o0
2:      sethi   %pc22(__gmon_state+8), %o2
        or      %o2, %pc10(__gmon_state+12), %o2
        lduw    [%o7+%o2], %o3
        cmp     %o3, STATE_ON
        bne,pn  %icc, 7f
        sethi   %pc22(_GLOBAL_OFFSET_TABLE_+28), %o2
        or      %o2, %pc10(_GLOBAL_OFFSET_TABLE_+32), %o2
        add     %o7, %o2, %o2
        sethi   %tie_hi22(__gmon_table), %o3
        add     %o3, %tie_lo10(__gmon_table), %o3
        ldx     [%o2+%o3], %o3, %tie_ldx(__gmon_table)
        ldx     [%g7+%o3], %o3
        sethi   HASH_FROM >> 10, %o4
        or      %o4, HASH_FROM & 0x3ff, %o4
        mulx    %o0, %o4, %o4
        add     %o4, %o1, %o4
        sethi   HASH_BOTH >> 10, %o5
        or      %o5, HASH_BOTH & 0x3ff, %o5
        mulx    %o4, %o5, %o4
        srlx    %o4, HASH_SHIFT, %o4
        ldx     [%o3+TABLE_MASK], %o5
        and     %o4, %o5, %o4
        add     %o3, %o4, %o4
3:      ldx     [%o4+ENTRY_SELF], %o5
        cmp     %o5, %o1
        bne,pn  %xcc, 5f
        ldx     [%o4+ENTRY_FROM], %o3
        cmp     %o3, %o0
        bne,pn  %xcc, 6f
        add     %o4, ENTRY_COUNT, %o4
4:      ldx     [%o4], %o5
        add     %o5, 1, %o3
        casx    [%o4], %o5, %o3
        cmp     %o3, %o5
        bne,pn  %xcc, 4b
        mov     \back, %o7
        retl
        nop
5:      brz,pn  %o5, 8f
        add     %o4, ENTRY_COUNT, %o4
6:      ba      3b
        add     %o4, ENTRY_SIZE-ENTRY_COUNT, %o4
7:      cmp     %o3, STATE_OFF
        bne,pn  %icc, 8f
        nop
        mov     \back, %o7
        retl
        nop
8:      call    \miss
        mov     \back, %o7
        .endm

        FUNCTION GLOBAL, mcount, 64
        NAME    GLOBAL, _mcount
        .cfi_register %o7, %o1
        mov     %o7, %o1
        GMON_HOOK %i7, %o1, __mcount_internal
        END     mcount
        SIZE    _mcount

/* __gmon_count(frompc, selfpc). Members of the archive that are hooks by another name come here. */
        FUNCTION GLOBAL, __gmon_count, 64
        .cfi_register %o7, %g1
        mov     %o7, %g1
        GMON_HOOK %o0, %g1, __mcount_internal
        END     __gmon_count

/* The hooks lie between mcount and here: a tick among them is charged to mcount. */
        HIDDEN  __gmon_hooks_end
__gmon_hooks_end:

/* __gmon_thread_pointer(): 0 before thread-local storage is set up. */
        FUNCTION HIDDEN, __gmon_thread_pointer
        retl
        mov     %g7, %o0
        END     __gmon_thread_pointer

/* __gmon_table_place(): the address of this thread's __gmon_table. */
        FUNCTION HIDDEN, __gmon_table_place
        .cfi_register %o7, %g1
        mov     %o7, %g1
1:      call    2f
        sethi   %tie_hi22(__gmon_table), %o3
2:      sethi   %pc22(_GLOBAL_OFFSET_TABLE_+8), %o2
        or      %o2, %pc10(_GLOBAL_OFFSET_TABLE_+12), %o2
        add     %o7, %o2, %o2
        add     %o3, %tie_lo10(__gmon_table), %o3
        ldx     [%o2+%o3], %o3, %tie_ldx(__gmon_table)
        mov     %g1, %o7
        retl
        add     %g7, %o3, %o0, %tie_add(__gmon_table)
        END     __gmon_table_place

/* Stands in reports for every caller outside the program: the C library calling a comparator, the
 * kernel calling a signal handler, the start of a thread. Never called; but signal handlers return to
 * the place behind it, so that it is their caller. */
        FUNCTION GLOBAL, __external_caller
        retl
        nop
        END     __external_caller
        .popsection
