/* What the runtime needs of Linux and its C library on SPARC of both widths: system calls, threads, another
 * stack, and functions in the place of the C library's. What differs between the widths has a name in
 * sparc/macros.S.
 */

        .set    PAGE, 8192

/* How much a frame has at least, and one that a thread begins with. */
        .if     WORD == 8
        .set    FRAME, 176
        .set    WIDE_FRAME, 192
        .else
        .set    FRAME, 96
        .set    WIDE_FRAME, 96
        .endif

/* What the kernel answers, as the runtime wants it. */
        .macro  NEGATE_IF_FAILED
        BY_WIDTH "bcs,a", "bcs,a,pn %xcc,", 1f
        neg     %o0
        .endm

/* Takes an address to a multiple of 16; if it is 0 then, goes to the target. */
        .macro  ALIGN_OR address, target
        .if     WORD == 8
        andn    \address, 15, \address
        brz,pn  \address, \target
        .else
        andncc  \address, 15, \address
        be      \target
        .endif
        .endm

/* Where a thread or child begins, with its first frame. */
        .macro  FIRST_FRAME
        .cfi_endproc
2:      .cfi_startproc
        .cfi_undefined %o7
        mov     0, %fp
        mov     0, %i7
        .endm

/* Opens a frame of so many bytes. */
        .macro  OPEN size
        save    %sp, -\size, %sp
        .cfi_def_cfa_register %fp
        .cfi_window_save
        .cfi_register %o7, %i7
        .endm

        .pushsection .text.__gmon_hooks, "ax", %progbits

/* The runtime's and, by its sigaction, the program's signal handlers return to here. Of 32 bits, those without
 * SA_SIGINFO to the first; without names: a lookup of the second one's return address finds the first. */
        .if     WORD == 8
        NAME    HIDDEN, __gmon_restorer
        mov     101, %g1                /* rt_sigreturn */
        TRAP
        SIZE    __gmon_restorer
        .else
        mov     216, %g1                /* sigreturn */
        TRAP
        mov     101, %g1                /* rt_sigreturn */
        TRAP
        .endif

/* __gmon_call_on(stack, function, data): calls function(data) on another stack. */
        FUNCTION HIDDEN, __gmon_call_on
        OPEN    FRAME
        mov     %sp, %l0
        sub     %i0, FRAME + BIAS, %sp
        call    %i1
        mov     %i2, %o0
        mov     %l0, %sp
        ret
        restore
        END     __gmon_call_on

/* __gmon_syscall(a, b, c, d, e, f, number): what the kernel answers. */
        FUNCTION HIDDEN, __gmon_syscall
        LOAD    [%sp+ARGUMENTS], %g1
        TRAP
        NEGATE_IF_FAILED
1:      retl
        nop
        END     __gmon_syscall

/* __gmon_clone(flags, stack, entry): starts a thread that begins with entry() on an empty stack. The
 * kernel wants room for one frame there, and tells the thread by %o1. */
        FUNCTION HIDDEN, __gmon_clone
        OPEN    WIDE_FRAME
        mov     %i0, %o0
        sub     %i1, WIDE_FRAME + BIAS, %o1
        mov     0, %o2
        mov     0, %o3
        mov     0, %o4
        mov     217, %g1                /* clone */
        TRAP
        NEGATE_IF_FAILED
        IF_NOT_ZERO %o1, 2f
        nop
1:      ret
        restore %g0, %o0, %o0
        FIRST_FRAME
        call    %i2
        nop
        unimp   0
        END     __gmon_clone
        .popsection

/* A function in the place of name(file, argument..., NULL [, environment]), which calls one of Rust with
 * the arguments as an array. The caller has left room for what came in registers right below what came on
 * the stack. */
        .macro  GMON_INSTEAD_LIST name, function, environment
        FUNCTION WEAK, \name
        OPEN    FRAME
        STORE   %i1, [%fp+ARGUMENTS-5*WORD]
        STORE   %i2, [%fp+ARGUMENTS-4*WORD]
        STORE   %i3, [%fp+ARGUMENTS-3*WORD]
        STORE   %i4, [%fp+ARGUMENTS-2*WORD]
        STORE   %i5, [%fp+ARGUMENTS-1*WORD]
        mov     %i0, %o0
        add     %fp, ARGUMENTS-5*WORD, %o1
        mov     0, %o2
        .if     \environment
        mov     %o1, %l0
1:      LOAD    [%l0], %l1              /* the environment follows the null */
        IF_NOT_ZERO %l1, 1b
        add     %l0, WORD, %l0
        LOAD    [%l0], %o2
        .endif
        call    \function
        nop
        ret
        restore %g0, %o0, %o0
        END     \name
        .endm

        .pushsection .text.__gmon_instead, "ax", %progbits
/* clone(function, stack, flags, argument, parent_tid, tls, child_tid): as the C library's, but for what
 * comes after the function. The child has a copy of the window with function and argument. */
        FUNCTION WEAK, clone
        OPEN    WIDE_FRAME
        ALIGN_OR %i1, 1f
        mov     22, %o0                 /* EINVAL */
        IF_ZERO %i0, 1f
        nop
        mov     %i2, %o0                /* flags */
        sub     %i1, WIDE_FRAME + BIAS, %o1
        mov     %i4, %o2                /* parent_tid */
        mov     %i5, %o3                /* tls */
        LOAD    [%fp+ARGUMENTS], %o4    /* child_tid */
        mov     217, %g1
        TRAP
        IF_FAILED 1f
        nop
        IF_NOT_ZERO %o1, 2f
        nop
        ret
        restore %g0, %o0, %o0
1:      call    __gmon_fail
        nop
        ret
        restore %g0, %o0, %o0
        FIRST_FRAME
        call    %i0
        mov     %i3, %o0
        call    __gmon_clone_end
        nop
        unimp   0
        END     clone
        .popsection
