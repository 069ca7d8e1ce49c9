/* What the other files say of every symbol. Put before each of them: those of the runtime itself and
 * those of the members. WORD, the bytes of an address, is known before; the file of the processor that comes
 * next, such as x86_64/macros.S, says what FORWARD and EMPTY are made of:
 *
 *   LANDING_PAD name    lets calls by a pointer come to the function of this name, where the processor asks for that
 *   TAIL_CALL function  goes on with a function, which returns to the caller
 *   GO_BACK             returns
 *
 * and what the functions in members/ are made of, which say what they get. Each is all of its function:
 *
 *   CYG_ARC             makes frompc and selfpc the arguments in place of a function and its return address
 *   CYG_TIMED function  goes on with function(frompc, selfpc, stack pointer, frame pointer, return address). Only for Linux
 *   BB_INIT             __gmon_unit(unit, __bb_head_here)
 *   TRACE_PC            counts the block that calls it: __gmon_count(-1, selfpc)
 *   TRACE_PC_GUARD      likewise, by its guard
 *   MAKE_SYSCALL        makes a system call; __gmon_instead_syscall has those that end or replace the program, and
 *                       __gmon_fail an error. Only for Linux
 */

/* Who sees a symbol: everybody, everybody unless the program has its own, the runtime alone. */
        .macro  GLOBAL name
        .globl  \name
        .endm

        .macro  WEAK name
        .weak   \name
        .endm

        .macro  HIDDEN name
        .globl  \name
        .hidden \name
        .endm

/* A name of the function that follows: GLOBAL, WEAK or HIDDEN. */
        .macro  NAME binding, name
        \binding \name
        .type   \name, %function
\name:
        .endm

        .macro  FUNCTION binding, name, align=16
        .balign \align
        NAME    \binding, \name
        .cfi_startproc
        .endm

/* The end of a function, with the NAMEs that it has beside its first. */
        .macro  END name, second, third
        .cfi_endproc
        .irp    each, \name, \second, \third
        .ifnb   \each
        SIZE    \each
        .endif
        .endr
        .endm

        .macro  OBJECT binding, name
        \binding \name
        .type   \name, %object
\name:
        .endm

        .macro  SIZE name
        .size   \name, . - \name
        .endm

/* A function that leads to another one. */
        .macro  FORWARD binding, name, function
        FUNCTION \binding, \name
        LANDING_PAD \name
        TAIL_CALL \function
        END     \name
        .endm

/* A function that does nothing. */
        .macro  EMPTY binding, name
        FUNCTION \binding, \name
        LANDING_PAD \name
        GO_BACK
        END     \name
        .endm

/* The hooks of -finstrument-functions. On bare metal no calls are timed. */
        .macro  CYG_ENTER
        LANDING_PAD __cyg_profile_func_enter
        CYG_ARC
        .ifdef  GMON_BARE
        TAIL_CALL __gmon_count
        .else
        CYG_TIMED __gmon_enter
        .endif
        .endm

        .macro  CYG_EXIT
        LANDING_PAD __cyg_profile_func_exit
        .ifdef  GMON_BARE
        GO_BACK
        .else
        CYG_ARC
        CYG_TIMED __gmon_leave
        .endif
        .endm

/* The hooks lie between mcount and here: a tick among them is charged to mcount. */
        .macro  HOOKS_END
        HIDDEN  __gmon_hooks_end
__gmon_hooks_end:
        .endm

/* Where the list of units of old gcc's -a begins (see members/bb.S): a null pointer. Our own
 * code takes it by a local name, so that no other definition gets between. */
        .macro  BB_HEAD
        .pushsection .bss.__gmon_bb, "aw", %nobits
        .balign WORD
        OBJECT  GLOBAL, __bb_head
__bb_head_here:
        .zero   WORD
        SIZE    __bb_head
        .popsection
        .endm

/* Tells where the hook is that sleeping hooks call, what sleeping exits jump to, and whether there are such: format/src/dormant. `gmon cc --dormant`
 * writes 1 into the first word when it has linked a program. */
        .macro  DORMANT_NOTE fentry, return
        .pushsection .note.gmon, "a", %note
        .balign 4
        .long   5, 12, 2
        .asciz  "gmon"
        .balign 4
        OBJECT  HIDDEN, __gmon_dormant
        .long   0
        .long   \fentry - .
        .ifb    \return
        .long   0
        .else
        .long   \return - .
        .endif
        SIZE    __gmon_dormant
        .popsection
        .endm

/* On x86: this code keeps indirect branch tracking and shadow stacks. The linker clears both for the
 * whole program if a part of it does not say so. */
        .macro  BRANCH_TRACKING
        .pushsection .note.gnu.property, "a", %note
        .balign WORD
        .long   4, 8 + WORD, 5
        .asciz  "GNU"
        .long   0xc0000002, 4, 3
        .balign WORD
        .popsection
        .endm

/* Nobody needs an executable stack. Compilers for bare metal do not say so, and linkers warn if some objects
 * do and others do not. */
        .ifndef GMON_BARE
        .pushsection .note.GNU-stack, "", %progbits
        .popsection
        .endif
