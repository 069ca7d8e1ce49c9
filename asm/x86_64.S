/* Entry hooks for x86-64, System V ABI (AT&T syntax).
 *
 * Called by every profiled function:
 *   mcount, _mcount  after the prologue (-pg):
 *                      (%rsp) = selfpc, 8(%rbp) = frompc
 *   __fentry__       as the first instruction (-pg -mfentry):
 *                      (%rsp) = selfpc, 8(%rsp) = frompc; in a function with a static chain
 *                      gcc pushes %r10 first, so that frompc is at 16(%rsp): left to Rust
 * Preserved: everything but %r11 and the flags. Compilers keep arguments, AL, the static chain
 * and vector registers live across the hook, and the stack may have any alignment.
 *
 * A hit runs here: one probe of this thread's table, one increment, no taken branch. The stack below
 * %rsp is ours (red zone, 128 bytes, kept by signal frames), so nothing is pushed and no CFI
 * changes.
 * A miss saves every register that Rust code built for the baseline instruction set can change:
 * the general ones and the low halves of %xmm0-15. Legacy SSE leaves the upper halves, masks, x87
 * and MMX state alone, so there is no xsave and 4 KiB stacks are enough. That no AVX or libc code
 * is reached from here is checked on the built library by tests/archive.rs.
 *
 * The names of offsets, states and factors of the hash come from Rust, which knows them too:
 * runtime/src/arch/stubs.rs.
 */

        .att_syntax prefix

        .set    PAGE, 4096

        .pushsection .text.__gmon_hooks, "ax", %progbits

/* %rax = the first slot of this thread's table where the arc may be; %r11 is lost. */
        .macro  GMON_SLOT from, self
        imulq   $HASH_FROM, \from, %rax
        addq    \self, %rax
        imulq   $HASH_BOTH, %rax, %rax
        shrq    $HASH_SHIFT, %rax
        movq    __gmon_table@gottpoff(%rip), %r11
        movq    %fs:(%r11), %r11
        andq    TABLE_MASK(%r11), %rax
        addq    %r11, %rax
        .endm

/* One hook: `from` is the operand that holds frompc at entry, `miss` the Rust side of a miss. */
        .macro  GMON_HOOK from, miss
        .cfi_startproc
        endbr64
        movq    %rax, -8(%rsp)
        cmpl    $STATE_ON, __gmon_state(%rip)
        jne     3f
        GMON_SLOT \from, (%rsp)
1:      movq    (%rsp), %r11
        cmpq    %r11, ENTRY_SELF(%rax)
        jne     2f
        movq    \from, %r11
        cmpq    %r11, ENTRY_FROM(%rax)
        jne     2f
        incq    ENTRY_COUNT(%rax)       /* one instruction: a signal cannot split it */
        movq    -8(%rsp), %rax
        ret
2:      cmpq    $0, ENTRY_SELF(%rax)
        je      4f
        addq    $ENTRY_SIZE, %rax
        jmp     1b
3:      cmpl    $STATE_OFF, __gmon_state(%rip)
        je      5f
4:      movq    \from, %r11             /* frompc for the miss path */
        movq    -8(%rsp), %rax
        pushq   %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbp, 0
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        subq    $336, %rsp
        andq    $-16, %rsp
        movq    %rax, 0(%rsp)
        movq    %rcx, 8(%rsp)
        movq    %rdx, 16(%rsp)
        movq    %rsi, 24(%rsp)
        movq    %rdi, 32(%rsp)
        movq    %r8, 40(%rsp)
        movq    %r9, 48(%rsp)
        movq    %r10, 56(%rsp)
        movaps  %xmm0, 64(%rsp)
        movaps  %xmm1, 80(%rsp)
        movaps  %xmm2, 96(%rsp)
        movaps  %xmm3, 112(%rsp)
        movaps  %xmm4, 128(%rsp)
        movaps  %xmm5, 144(%rsp)
        movaps  %xmm6, 160(%rsp)
        movaps  %xmm7, 176(%rsp)
        movaps  %xmm8, 192(%rsp)
        movaps  %xmm9, 208(%rsp)
        movaps  %xmm10, 224(%rsp)
        movaps  %xmm11, 240(%rsp)
        movaps  %xmm12, 256(%rsp)
        movaps  %xmm13, 272(%rsp)
        movaps  %xmm14, 288(%rsp)
        movaps  %xmm15, 304(%rsp)
        movq    %r11, %rdi                              /* frompc */
        movq    8(%rbp), %rsi                           /* selfpc */
        leaq    8(%rbp), %rdx                           /* stack at entry */
        cld
        call    \miss
        movaps  304(%rsp), %xmm15
        movaps  288(%rsp), %xmm14
        movaps  272(%rsp), %xmm13
        movaps  256(%rsp), %xmm12
        movaps  240(%rsp), %xmm11
        movaps  224(%rsp), %xmm10
        movaps  208(%rsp), %xmm9
        movaps  192(%rsp), %xmm8
        movaps  176(%rsp), %xmm7
        movaps  160(%rsp), %xmm6
        movaps  144(%rsp), %xmm5
        movaps  128(%rsp), %xmm4
        movaps  112(%rsp), %xmm3
        movaps  96(%rsp), %xmm2
        movaps  80(%rsp), %xmm1
        movaps  64(%rsp), %xmm0
        movq    56(%rsp), %r10
        movq    48(%rsp), %r9
        movq    40(%rsp), %r8
        movq    32(%rsp), %rdi
        movq    24(%rsp), %rsi
        movq    16(%rsp), %rdx
        movq    8(%rsp), %rcx
        movq    0(%rsp), %rax
        leave
        .cfi_def_cfa %rsp, 8
        .cfi_restore %rbp
        ret
5:      movq    -8(%rsp), %rax
        ret
        .cfi_endproc
        .endm

        .balign 64
        .globl  mcount
        .type   mcount, %function
        .globl  _mcount
        .type   _mcount, %function
mcount:
_mcount:
        GMON_HOOK 8(%rbp), __mcount_internal
        .size   mcount, . - mcount
        .size   _mcount, . - _mcount

        .balign 64
        .globl  __fentry__
        .type   __fentry__, %function
__fentry__:
        GMON_HOOK 8(%rsp), __gmon_fentry_miss
        .size   __fentry__, . - __fentry__

/* __gmon_count(frompc, selfpc): an ordinary call, so that every register a function may change is free.
 * Members of the archive that are hooks by another name come here. */
        .balign 64
        .globl  __gmon_count
        .type   __gmon_count, %function
__gmon_count:
        .cfi_startproc
        endbr64
        cmpl    $STATE_ON, __gmon_state(%rip)
        jne     3f
        GMON_SLOT %rdi, %rsi
1:      cmpq    %rsi, ENTRY_SELF(%rax)
        jne     2f
        cmpq    %rdi, ENTRY_FROM(%rax)
        jne     2f
        incq    ENTRY_COUNT(%rax)
        ret
2:      cmpq    $0, ENTRY_SELF(%rax)
        je      4f
        addq    $ENTRY_SIZE, %rax
        jmp     1b
3:      cmpl    $STATE_OFF, __gmon_state(%rip)
        je      5f
4:      jmp     __mcount_internal
5:      ret
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
        endbr64
        pushq   %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbp, 0
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        movq    %rdi, %rsp
        movq    %rdx, %rdi
        call    *%rsi
        leave
        .cfi_def_cfa %rsp, 8
        .cfi_restore %rbp
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
        endbr64
        ret
        .cfi_endproc
        .size   __external_caller, . - __external_caller

/* Where the runtime's and, by its sigaction, the program's signal handlers return to. Debuggers know
 * signal frames by these nine bytes. They come right after __external_caller: a handler's caller is
 * taken to be one byte before them, and that is the kernel, outside the program. */
        .balign 16
        .globl  __gmon_restorer
        .hidden __gmon_restorer
        .type   __gmon_restorer, %function
        nop
__gmon_restorer:
        movq    $15, %rax                               /* rt_sigreturn */
        syscall
        .size   __gmon_restorer, . - __gmon_restorer

/* __gmon_syscall(a, b, c, d, e, f, number): what the kernel answers. */
        .balign 16
        .globl  __gmon_syscall
        .hidden __gmon_syscall
        .type   __gmon_syscall, %function
__gmon_syscall:
        .cfi_startproc
        endbr64
        movq    8(%rsp), %rax
        movq    %rcx, %r10
        syscall
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
        endbr64
        movq    %rdx, %r9
        xorl    %edx, %edx
        xorl    %r10d, %r10d
        xorl    %r8d, %r8d
        movl    $56, %eax               /* clone */
        syscall
        testq   %rax, %rax
        jz      1f
        ret
        .cfi_endproc
1:      .cfi_startproc
        .cfi_undefined %rip             /* the thread's first frame */
        xorl    %ebp, %ebp
        call    *%r9
        ud2
        .cfi_endproc
        .size   __gmon_clone, . - __gmon_clone

/* __gmon_thread_pointer(): 0 before thread-local storage is set up. */
        .balign 16
        .globl  __gmon_thread_pointer
        .hidden __gmon_thread_pointer
        .type   __gmon_thread_pointer, %function
__gmon_thread_pointer:
        .cfi_startproc
        endbr64
        movq    $0, -8(%rsp)
        movl    $0x1003, %edi           /* ARCH_GET_FS */
        leaq    -8(%rsp), %rsi
        movl    $158, %eax              /* arch_prctl */
        syscall
        movq    -8(%rsp), %rax
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
        endbr64
        movq    %fs:0, %rax
        addq    __gmon_table@gottpoff(%rip), %rax
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
        endbr64
        jmp     \function
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
        endbr64
        xorl    %edx, %edx
        jmp     \function
        .cfi_endproc
        .size   \name, . - \name
        .endm

/* The same with the arguments as a list: name(file, argument..., NULL [, environment]). What came in
 * registers is laid below what came on the stack, in place of the return address, which makes an
 * array; the return address goes below it. */
        .macro  GMON_INSTEAD_LIST name, function, environment
        .balign 16
        .weak   \name
        .type   \name, %function
\name:
        .cfi_startproc
        endbr64
        popq    %r11
        .cfi_adjust_cfa_offset -8
        .cfi_register %rip, %r11
        pushq   %r9
        .cfi_adjust_cfa_offset 8
        pushq   %r8
        .cfi_adjust_cfa_offset 8
        pushq   %rcx
        .cfi_adjust_cfa_offset 8
        pushq   %rdx
        .cfi_adjust_cfa_offset 8
        pushq   %rsi
        .cfi_adjust_cfa_offset 8
        movq    %rsp, %rsi
        pushq   %r11
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rip, 0
        xorl    %edx, %edx
        .if     \environment
        movq    %rsi, %rax
1:      addq    $8, %rax                /* the environment follows the null */
        cmpq    $0, -8(%rax)
        jne     1b
        movq    (%rax), %rdx
        .endif
        call    \function
        popq    %r11
        .cfi_adjust_cfa_offset -8
        .cfi_register %rip, %r11
        addq    $40, %rsp
        .cfi_adjust_cfa_offset -40
        pushq   %r11
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rip, 0
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
        endbr64
        andq    $-16, %rsi
        jz      1f
        testq   %rdi, %rdi
        jz      1f
        movq    %rdi, -16(%rsi)
        movq    %rcx, -8(%rsi)
        subq    $16, %rsi
        movl    %edx, %edi              /* flags */
        movq    %r8, %rdx               /* parent_tid */
        movq    8(%rsp), %r10           /* child_tid */
        movq    %r9, %r8                /* tls */
        movl    $56, %eax
        syscall
        testq   %rax, %rax
        jz      2f
        js      3f
        ret
1:      movl    $22, %edi               /* EINVAL */
        jmp     __gmon_fail
3:      negl    %eax
        movl    %eax, %edi
        jmp     __gmon_fail
        .cfi_endproc
2:      .cfi_startproc
        .cfi_undefined %rip             /* the child's first frame */
        xorl    %ebp, %ebp
        popq    %rax
        popq    %rdi
        call    *%rax
        movl    %eax, %edi
        call    __gmon_clone_end
        hlt
        .cfi_endproc
        .size   clone, . - clone

        .popsection

/* Indirect branch tracking and shadow stacks: without this the linker clears both for the
 * whole program. */
        .pushsection .note.gnu.property, "a", %note
        .balign 8
        .long   4, 16, 5
        .asciz  "GNU"
        .long   0xc0000002, 4, 3, 0
        .popsection
