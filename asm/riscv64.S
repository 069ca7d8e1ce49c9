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

/* What every Linux has. */
        .option arch, +m, +a, +c

        .set    PAGE, 4096

        .pushsection .text.__gmon_hooks, "ax", %progbits

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
        la.tls.ie t1, __gmon_table
        add     t1, t1, tp
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

        .balign 64
        .globl  mcount
        .type   mcount, %function
        .globl  _mcount
        .type   _mcount, %function
mcount:
_mcount:
        .cfi_startproc
        GMON_HOOK ra, 5f
5:      mv      a1, ra
        mv      a2, s0
        mv      a3, sp
        tail    __gmon_framed_miss
        .cfi_endproc
        .size   mcount, . - mcount
        .size   _mcount, . - _mcount

/* __gmon_count(frompc, selfpc). Members of the archive that are hooks by another name come here. */
        .balign 64
        .globl  __gmon_count
        .type   __gmon_count, %function
__gmon_count:
        .cfi_startproc
        GMON_HOOK a1, 5f
5:      tail    __mcount_internal
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
        addi    sp, sp, -16
        .cfi_def_cfa_offset 16
        sd      s0, 0(sp)
        .cfi_offset s0, -16
        sd      ra, 8(sp)
        .cfi_offset ra, -8
        mv      s0, sp
        .cfi_def_cfa_register s0
        mv      sp, a0
        mv      a0, a2
        jalr    a1
        mv      sp, s0
        .cfi_def_cfa_register sp
        ld      s0, 0(sp)
        .cfi_restore s0
        ld      ra, 8(sp)
        .cfi_restore ra
        addi    sp, sp, 16
        .cfi_def_cfa_offset 0
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
        mv      a7, a6
        ecall
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
        mv      t3, a2
        li      a2, 0
        li      a3, 0
        li      a4, 0
        /* clone */
        li      a7, 220
        ecall
        beqz    a0, 1f
        ret
        .cfi_endproc
1:      .cfi_startproc
        /* the thread's first frame */
        .cfi_undefined ra
        li      s0, 0
        li      ra, 0
        jalr    t3
        unimp
        .cfi_endproc
        .size   __gmon_clone, . - __gmon_clone

/* __gmon_thread_pointer(): 0 before thread-local storage is set up. */
        .balign 16
        .globl  __gmon_thread_pointer
        .hidden __gmon_thread_pointer
        .type   __gmon_thread_pointer, %function
__gmon_thread_pointer:
        .cfi_startproc
        mv      a0, tp
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
        la.tls.ie a0, __gmon_table
        add     a0, a0, tp
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
        tail    \function
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
        li      a2, 0
        tail    \function
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
        addi    sp, sp, -80
        .cfi_def_cfa_offset 80
        sd      ra, 8(sp)
        .cfi_offset ra, -72
        sd      a1, 24(sp)
        sd      a2, 32(sp)
        sd      a3, 40(sp)
        sd      a4, 48(sp)
        sd      a5, 56(sp)
        sd      a6, 64(sp)
        sd      a7, 72(sp)
        addi    a1, sp, 24
        li      a2, 0
        .if     \environment
        mv      t0, a1
        /* the environment follows the null */
1:      ld      t1, 0(t0)
        addi    t0, t0, 8
        bnez    t1, 1b
        ld      a2, 0(t0)
        .endif
        call    \function
        ld      ra, 8(sp)
        .cfi_restore ra
        addi    sp, sp, 80
        .cfi_def_cfa_offset 0
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
        andi    a1, a1, -16
        beqz    a1, 1f
        beqz    a0, 1f
        addi    a1, a1, -16
        sd      a0, 0(a1)
        sd      a3, 8(a1)
        /* flags, parent_tid, tls, child_tid */
        mv      a0, a2
        mv      a2, a4
        mv      a3, a5
        mv      a4, a6
        li      a7, 220
        ecall
        beqz    a0, 2f
        bltz    a0, 3f
        ret
        /* EINVAL */
1:      li      a0, 22
        tail    __gmon_fail
3:      neg     a0, a0
        tail    __gmon_fail
        .cfi_endproc
2:      .cfi_startproc
        /* the child's first frame */
        .cfi_undefined ra
        li      s0, 0
        li      ra, 0
        ld      a1, 0(sp)
        ld      a0, 8(sp)
        addi    sp, sp, 16
        jalr    a1
        call    __gmon_clone_end
        unimp
        .cfi_endproc
        .size   clone, . - clone
        .popsection
