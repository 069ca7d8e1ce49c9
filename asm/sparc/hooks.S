/* Entry hooks for SPARC of both widths, on a V9 processor. What differs between the widths has a name in
 * sparc/macros.S.
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
 * system/src/arch/stubs.rs.
 */

/* On 32 bits the compiler assembles this for V8, whatever it compiles for: V9's instructions come by number. */
        .set    O0, 8
        .set    O1, 9
        .set    O3, 11
        .set    O4, 12
        .set    O5, 13

/* ldx [%place], %to */
        .macro  LOAD_64 place, to
        .word   0xc0580000 | \to << 25 | \place << 14
        .endm

/* casx [%place], %old, %new */
        .macro  EXCHANGE_64 place, old, new
        .word   0xc1f01000 | \new << 25 | \place << 14 | \old
        .endm

/* bne,a,pn %xcc, so many instructions back: the next instruction is executed only before that. */
        .macro  AGAIN_IF_DIFFERENT distance
        .word   0x32600000 | (-\distance & 0x7ffff)
        .endm

/* Where, from the state, lies how far __gmon_table is from the thread pointer. It is there whenever hooks may count
 * on their own: __gmon_thread_pointer, which is asked before, puts it there. */
        .set    DISTANCE, 8

        .pushsection .text.__gmon_hooks, "ax", %progbits

/* Counts the arc \from -> %o1, or calls \miss, and returns to \back. */
        .macro  GMON_HOOK from, back, miss
        call    2f
        sethi   HASH_FROM >> 10, %o4
2:      sethi   %pc22(__gmon_state+8), %o2
        or      %o2, %pc10(__gmon_state+12), %o2
        add     %o7, %o2, %o2
        ld      [%o2], %o3
        cmp     %o3, STATE_ON
        IF_DIFFERENT_32 7f
        LOAD    [%o2+DISTANCE], %o5
        LOAD    [%g7+%o5], %o3
        or      %o4, HASH_FROM & 0x3ff, %o4
        MULTIPLY \from, %o4, %o4
        add     %o4, %o1, %o4
        sethi   HASH_BOTH >> 10, %o5
        or      %o5, HASH_BOTH & 0x3ff, %o5
        MULTIPLY %o4, %o5, %o4
        SHIFT_RIGHT %o4, HASH_SHIFT, %o4
        LOAD    [%o3+TABLE_MASK], %o5
        and     %o4, %o5, %o4
        add     %o3, %o4, %o4
3:      LOAD    [%o4+ENTRY_SELF], %o5
        cmp     %o5, %o1
        IF_DIFFERENT 5f
        LOAD    [%o4+ENTRY_FROM], %o3
        cmp     %o3, \from
        IF_DIFFERENT 6f
        add     %o4, ENTRY_COUNT, %o4
        LOAD_64 O4, O5
4:      add     %o5, 1, %o3
        EXCHANGE_64 O4, O5, O3
        cmp     %o3, %o5
        AGAIN_IF_DIFFERENT 3
        LOAD_64 O4, O5
        jmp     \back + 8
        nop
5:      IF_ZERO %o5, 8f
        add     %o4, ENTRY_COUNT, %o4
6:      ba      3b
        add     %o4, ENTRY_SIZE-ENTRY_COUNT, %o4
7:      cmp     %o3, STATE_OFF
        IF_DIFFERENT_32 8f
        nop
        jmp     \back + 8
        nop
8:      mov     \from, %o0
        call    \miss
        mov     \back, %o7
        .endm

        FUNCTION GLOBAL, mcount, 64
        NAME    GLOBAL, _mcount
        mov     %o7, %o1
        .cfi_register %o7, %o1
        GMON_HOOK %i7, %o1, __mcount_internal
        END     mcount, _mcount

/* __gmon_count(frompc, selfpc). Members of the archive that are hooks by another name come here. */
        FUNCTION GLOBAL, __gmon_count, 64
        mov     %o7, %g1
        .cfi_register %o7, %g1
        GMON_HOOK %o0, %g1, __mcount_internal
        END     __gmon_count

        HOOKS_END

        .if     WORD == 4
/* sllx %from, 32, %to */
        .macro  TO_HIGH_HALF from, to
        .word   0x81283020 | \to << 25 | \from << 14
        .endm

/* srlx %from, 32, %to */
        .macro  FROM_HIGH_HALF from, to
        .word   0x81303020 | \to << 25 | \from << 14
        .endm

/* __gmon_load_64(place): the number there. The compiler does not know that this can be done at once. */
        FUNCTION HIDDEN, __gmon_load_64
        LOAD_64     O0, O1
        retl
        FROM_HIGH_HALF O1, O0
        END     __gmon_load_64

/* __gmon_compare_exchange_64(place, old, new): what was there; if that was the old number, the new one
 * is there now. */
        FUNCTION HIDDEN, __gmon_compare_exchange_64
        TO_HIGH_HALF O1, O1
        srl     %o2, 0, %o2
        or      %o1, %o2, %o1
        TO_HIGH_HALF O3, O3
        srl     %o4, 0, %o4
        or      %o3, %o4, %o3
        EXCHANGE_64    O0, O1, O3
        FROM_HIGH_HALF O3, O0
        retl
        mov     %o3, %o1
        END     __gmon_compare_exchange_64
        .endif

/* Loads into %o3 how far __gmon_table is from the thread pointer. Changes %o2, and %o7 by a call. */
        .macro  LOAD_TABLE_DISTANCE
        call    2f
        sethi   %tie_hi22(__gmon_table), %o3
2:      sethi   %pc22(_GLOBAL_OFFSET_TABLE_+8), %o2
        or      %o2, %pc10(_GLOBAL_OFFSET_TABLE_+12), %o2
        add     %o7, %o2, %o2
        add     %o3, %tie_lo10(__gmon_table), %o3
        LOAD_DISTANCE [%o2+%o3], %o3, __gmon_table
        .endm

/* __gmon_thread_pointer(): 0 before thread-local storage is set up. It puts the distance beside the state. */
        FUNCTION HIDDEN, __gmon_thread_pointer
        mov     %o7, %g1
        .cfi_register %o7, %g1
        LOAD_TABLE_DISTANCE
        sethi   %pc22(__gmon_state+28), %o2
        or      %o2, %pc10(__gmon_state+32), %o2
        add     %o7, %o2, %o2
        STORE   %o3, [%o2+DISTANCE]
        mov     %g1, %o7
        retl
        mov     %g7, %o0
        END     __gmon_thread_pointer

/* __gmon_table_place(): the address of this thread's __gmon_table. */
        FUNCTION HIDDEN, __gmon_table_place
        mov     %o7, %g1
        .cfi_register %o7, %g1
        LOAD_TABLE_DISTANCE
        mov     %g1, %o7
        retl
        add     %g7, %o3, %o0, %tie_add(__gmon_table)
        END     __gmon_table_place
        .popsection
