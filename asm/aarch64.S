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

        .set    PAGE, 65536

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

        .balign 64
        .globl  mcount
        .type   mcount, %function
        .globl  _mcount
        .type   _mcount, %function
        .globl  __mcount
        .type   __mcount, %function
mcount:
_mcount:
__mcount:
        .cfi_startproc
        GMON_HOOK x30, 5f
5:      mov     x1, x30
        mov     x2, x29
        mov     x3, sp
        b       __gmon_framed_miss
        .cfi_endproc
        .size   mcount, . - mcount
        .size   _mcount, . - _mcount
        .size   __mcount, . - __mcount

/* __gmon_count(frompc, selfpc). Members of the archive that are hooks by another name come here. */
        .balign 64
        .globl  __gmon_count
        .type   __gmon_count, %function
__gmon_count:
        .cfi_startproc
        GMON_HOOK x1, __mcount_internal
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
        hint    #34
        stp     x29, x30, [sp, #-16]!
        .cfi_def_cfa_offset 16
        .cfi_offset x29, -16
        .cfi_offset x30, -8
        mov     x29, sp
        .cfi_def_cfa_register x29
        mov     sp, x0
        mov     x0, x2
        blr     x1
        mov     sp, x29
        .cfi_def_cfa_register sp
        ldp     x29, x30, [sp], #16
        .cfi_def_cfa_offset 0
        .cfi_restore x29
        .cfi_restore x30
        ret
        .cfi_endproc
        .size   __gmon_call_on, . - __gmon_call_on

/* Stands in reports for every caller outside the program: the C library calling a comparator,
 * the kernel calling a signal handler, the start of a thread. Never called. */
        .balign 16
        .globl  __external_caller
        .type   __external_caller, %function
__external_caller:
        .cfi_startproc
        hint    #34
        ret
        .cfi_endproc
        .size   __external_caller, . - __external_caller

/* __gmon_syscall(a, b, c, d, e, f, number): what the kernel answers. */
        .balign 16
        .globl  __gmon_syscall
        .hidden __gmon_syscall
        .type   __gmon_syscall, %function
__gmon_syscall:
        .cfi_startproc
        hint    #34
        mov     x8, x6
        svc     #0
        ret
        .cfi_endproc
        .size   __gmon_syscall, . - __gmon_syscall

/* __gmon_clone(flags, stack, entry): starts a thread that begins with entry() on an empty stack. */
        .balign 16
        .globl  __gmon_clone
        .hidden __gmon_clone
        .type   __gmon_clone, %function
__gmon_clone:
        .cfi_startproc
        hint    #34
        mov     x9, x2
        mov     x2, #0
        mov     x3, #0
        mov     x4, #0
        mov     x8, #220                /* clone */
        svc     #0
        cbz     x0, 1f
        ret
        .cfi_endproc
1:      .cfi_startproc
        .cfi_undefined x30              /* the thread's first frame */
        mov     x29, #0
        mov     x30, #0
        blr     x9
        brk     #1
        .cfi_endproc
        .size   __gmon_clone, . - __gmon_clone

/* __gmon_thread_pointer(): 0 before thread-local storage is set up. */
        .balign 16
        .globl  __gmon_thread_pointer
        .hidden __gmon_thread_pointer
        .type   __gmon_thread_pointer, %function
__gmon_thread_pointer:
        .cfi_startproc
        hint    #34
        mrs     x0, tpidr_el0
        ret
        .cfi_endproc
        .size   __gmon_thread_pointer, . - __gmon_thread_pointer

/* __gmon_table_place(): the address of this thread's __gmon_table. */
        .balign 16
        .globl  __gmon_table_place
        .hidden __gmon_table_place
        .type   __gmon_table_place, %function
__gmon_table_place:
        .cfi_startproc
        hint    #34
        mrs     x0, tpidr_el0
        adrp    x1, :gottprel:__gmon_table
        ldr     x1, [x1, #:gottprel_lo12:__gmon_table]
        add     x0, x0, x1
        ret
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
        hint    #34
        b       \function
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
        hint    #34
        mov     x2, #0
        b       \function
        .cfi_endproc
        .size   \name, . - \name
        .endm

/* The same with the arguments as a list: name(file, argument..., NULL [, environment]). What came in
 * registers is laid right below what came on the stack, which makes an array. */
        .macro  GMON_INSTEAD_LIST name, function, environment
        .balign 16
        .weak   \name
        .type   \name, %function
\name:
        .cfi_startproc
        hint    #34
        stp     x29, x30, [sp, #-80]!
        .cfi_def_cfa_offset 80
        .cfi_offset x29, -80
        .cfi_offset x30, -72
        mov     x29, sp
        str     x1, [sp, #24]
        stp     x2, x3, [sp, #32]
        stp     x4, x5, [sp, #48]
        stp     x6, x7, [sp, #64]
        add     x1, sp, #24
        mov     x2, #0
        .if     \environment
        mov     x9, x1
1:      ldr     x10, [x9], #8           /* the environment follows the null */
        cbnz    x10, 1b
        ldr     x2, [x9]
        .endif
        bl      \function
        ldp     x29, x30, [sp], #80
        .cfi_def_cfa_offset 0
        .cfi_restore x29
        .cfi_restore x30
        ret
        .cfi_endproc
        .size   \name, . - \name
        .endm

        .pushsection .text.__gmon_instead, "ax", %progbits
/* clone(function, stack, flags, argument, parent_tid, tls, child_tid): as the C library's, but for what
 * comes after the function. The child finds function and argument on its stack. */
        .balign 16
        .weak   clone
        .type   clone, %function
clone:
        .cfi_startproc
        hint    #34
        and     x1, x1, #-16
        cbz     x1, 1f
        cbz     x0, 1f
        stp     x0, x3, [x1, #-16]!
        mov     w0, w2                  /* flags */
        mov     x2, x4                  /* parent_tid */
        mov     x3, x5                  /* tls */
        mov     x4, x6                  /* child_tid */
        mov     x8, #220
        svc     #0
        cbz     x0, 2f
        tbnz    x0, #63, 3f
        ret
1:      mov     w0, #22                 /* EINVAL */
        b       __gmon_fail
3:      neg     w0, w0
        b       __gmon_fail
        .cfi_endproc
2:      .cfi_startproc
        .cfi_undefined x30              /* the child's first frame */
        mov     x29, #0
        mov     x30, #0
        ldp     x1, x0, [sp], #16
        blr     x1
        bl      __gmon_clone_end
        brk     #1
        .cfi_endproc
        .size   clone, . - clone
        .popsection
