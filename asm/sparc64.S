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

        .set    PAGE, 8192
/* The stack pointer is that much below the stack, and how much a frame has at least. */
        .set    BIAS, 2047
        .set    FRAME, 176
/* Where the first argument that is not in a register lies, seen from the caller's stack pointer. */
        .set    ARGUMENTS, BIAS + 176

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

        .balign 64
        .globl  mcount
        .type   mcount, %function
        .globl  _mcount
        .type   _mcount, %function
mcount:
_mcount:
        .cfi_startproc
        .cfi_register %o7, %o1
        mov     %o7, %o1
        GMON_HOOK %i7, %o1, __mcount_internal
        .cfi_endproc
        .size   mcount, . - mcount
        .size   _mcount, . - _mcount

/* __gmon_count(frompc, selfpc). Members of the archive that are hooks by another name come here. */
        .balign 64
        .globl  __gmon_count
        .type   __gmon_count, %function
__gmon_count:
        .cfi_startproc
        .cfi_register %o7, %g1
        mov     %o7, %g1
        GMON_HOOK %o0, %g1, __mcount_internal
        .cfi_endproc
        .size   __gmon_count, . - __gmon_count

/* The hooks lie between mcount and here: a tick among them is charged to mcount. */
        .globl  __gmon_hooks_end
        .hidden __gmon_hooks_end
__gmon_hooks_end:

/* __gmon_call_on(stack, function, data): calls function(data) on another stack. */
        .balign 16
        .globl  __gmon_call_on
        .hidden __gmon_call_on
        .type   __gmon_call_on, %function
__gmon_call_on:
        .cfi_startproc
        save    %sp, -FRAME, %sp
        .cfi_def_cfa_register %fp
        .cfi_window_save
        .cfi_register %o7, %i7
        mov     %sp, %l0
        sub     %i0, FRAME + BIAS, %sp
        call    %i1
        mov     %i2, %o0
        mov     %l0, %sp
        ret
        restore
        .cfi_endproc
        .size   __gmon_call_on, . - __gmon_call_on

/* Stands in reports for every caller outside the program: the C library calling a comparator, the
 * kernel calling a signal handler, the start of a thread. Never called; but signal handlers return to
 * the place behind it, so that it is their caller. */
        .balign 16
        .globl  __external_caller
        .type   __external_caller, %function
__external_caller:
        .cfi_startproc
        retl
        nop
        .cfi_endproc
        .size   __external_caller, . - __external_caller

/* The runtime's and, by its sigaction, the program's signal handlers return to here. */
        .type   __gmon_restorer, %function
__gmon_restorer:
        mov     101, %g1                /* rt_sigreturn */
        ta      0x6d
        .size   __gmon_restorer, . - __gmon_restorer

/* __gmon_syscall(a, b, c, d, e, f, number): what the kernel answers. */
        .balign 16
        .globl  __gmon_syscall
        .hidden __gmon_syscall
        .type   __gmon_syscall, %function
__gmon_syscall:
        .cfi_startproc
        ldx     [%sp+ARGUMENTS], %g1
        ta      0x6d
        bcs,a,pn %xcc, 1f
        neg     %o0
1:      retl
        nop
        .cfi_endproc
        .size   __gmon_syscall, . - __gmon_syscall

/* __gmon_clone(flags, stack, entry): starts a thread that begins with entry() on an empty stack. The
 * kernel wants room for one frame there, and tells the thread by %o1. */
        .balign 16
        .globl  __gmon_clone
        .hidden __gmon_clone
        .type   __gmon_clone, %function
__gmon_clone:
        .cfi_startproc
        save    %sp, -192, %sp
        .cfi_def_cfa_register %fp
        .cfi_window_save
        .cfi_register %o7, %i7
        mov     %i0, %o0
        sub     %i1, 192 + BIAS, %o1
        mov     0, %o2
        mov     0, %o3
        mov     0, %o4
        mov     217, %g1                /* clone */
        ta      0x6d
        bcs,a,pn %xcc, 1f
        neg     %o0
        brnz,pn %o1, 2f
        nop
1:      ret
        restore %g0, %o0, %o0
        .cfi_endproc
2:      .cfi_startproc
        .cfi_undefined %o7              /* the thread's first frame */
        mov     0, %fp
        mov     0, %i7
        call    %i2
        nop
        unimp   0
        .cfi_endproc
        .size   __gmon_clone, . - __gmon_clone

/* __gmon_thread_pointer(): 0 before thread-local storage is set up. */
        .balign 16
        .globl  __gmon_thread_pointer
        .hidden __gmon_thread_pointer
        .type   __gmon_thread_pointer, %function
__gmon_thread_pointer:
        .cfi_startproc
        retl
        mov     %g7, %o0
        .cfi_endproc
        .size   __gmon_thread_pointer, . - __gmon_thread_pointer

/* __gmon_table_place(): the address of this thread's __gmon_table. */
        .balign 16
        .globl  __gmon_table_place
        .hidden __gmon_table_place
        .type   __gmon_table_place, %function
__gmon_table_place:
        .cfi_startproc
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
        .cfi_endproc
        .size   __gmon_table_place, . - __gmon_table_place
        .popsection

/* A function in the place of the C library's of this name, which leads to one of Rust. */
        .macro  GMON_INSTEAD name, function
        .balign 16
        .weak   \name
        .type   \name, %function
\name:
        .cfi_startproc
        .cfi_register %o7, %g1
        mov     %o7, %g1
        call    \function
        mov     %g1, %o7
        .cfi_endproc
        .size   \name, . - \name
        .endm

/* The same without the last argument, which is null then. */
        .macro  GMON_INSTEAD_CURRENT name, function
        .balign 16
        .weak   \name
        .type   \name, %function
\name:
        .cfi_startproc
        .cfi_register %o7, %g1
        mov     %o7, %g1
        mov     0, %o2
        call    \function
        mov     %g1, %o7
        .cfi_endproc
        .size   \name, . - \name
        .endm

/* The same with the arguments as a list: name(file, argument..., NULL [, environment]). The caller has
 * left room for what came in registers right below what came on the stack, which makes an array. */
        .macro  GMON_INSTEAD_LIST name, function, environment
        .balign 16
        .weak   \name
        .type   \name, %function
\name:
        .cfi_startproc
        save    %sp, -FRAME, %sp
        .cfi_def_cfa_register %fp
        .cfi_window_save
        .cfi_register %o7, %i7
        stx     %i1, [%fp+ARGUMENTS-40]
        stx     %i2, [%fp+ARGUMENTS-32]
        stx     %i3, [%fp+ARGUMENTS-24]
        stx     %i4, [%fp+ARGUMENTS-16]
        stx     %i5, [%fp+ARGUMENTS-8]
        mov     %i0, %o0
        add     %fp, ARGUMENTS-40, %o1
        mov     0, %o2
        .if     \environment
        mov     %o1, %l0
1:      ldx     [%l0], %l1              /* the environment follows the null */
        brnz,pt %l1, 1b
        add     %l0, 8, %l0
        ldx     [%l0], %o2
        .endif
        call    \function
        nop
        ret
        restore %g0, %o0, %o0
        .cfi_endproc
        .size   \name, . - \name
        .endm

        .pushsection .text.__gmon_instead, "ax", %progbits
/* clone(function, stack, flags, argument, parent_tid, tls, child_tid): as the C library's, but for what
 * comes after the function. The child has a copy of the window with function and argument. */
        .balign 16
        .weak   clone
        .type   clone, %function
clone:
        .cfi_startproc
        save    %sp, -192, %sp
        .cfi_def_cfa_register %fp
        .cfi_window_save
        .cfi_register %o7, %i7
        andn    %i1, 15, %i1
        brz,pn  %i1, 1f
        mov     22, %o0                 /* EINVAL */
        brz,pn  %i0, 1f
        nop
        mov     %i2, %o0                /* flags */
        sub     %i1, 192 + BIAS, %o1
        mov     %i4, %o2                /* parent_tid */
        mov     %i5, %o3                /* tls */
        ldx     [%fp+ARGUMENTS], %o4    /* child_tid */
        mov     217, %g1
        ta      0x6d
        bcs,pn  %xcc, 1f
        nop
        brnz,pn %o1, 2f
        nop
        ret
        restore %g0, %o0, %o0
1:      call    __gmon_fail
        nop
        ret
        restore %g0, %o0, %o0
        .cfi_endproc
2:      .cfi_startproc
        .cfi_undefined %o7              /* the child's first frame */
        mov     0, %fp
        mov     0, %i7
        call    %i0
        mov     %i3, %o0
        call    __gmon_clone_end
        nop
        unimp   0
        .cfi_endproc
        .size   clone, . - clone
        .popsection
