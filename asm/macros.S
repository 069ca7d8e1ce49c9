/* What the other files say of every symbol. Put before each of them: those of the runtime itself and
 * those of the members.
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

/* A function with a second NAME has its SIZE beside this. */
        .macro  END name
        .cfi_endproc
        SIZE    \name
        .endm

        .macro  OBJECT binding, name
        \binding \name
        .type   \name, %object
\name:
        .endm

        .macro  SIZE name
        .size   \name, . - \name
        .endm

/* Has a static program with daemon(3) contain the fork that the runtime looks for, whose address has so many
 * bytes. */
        .macro  DAEMON_FORK size
        .pushsection .data.rel.ro.__gmon_daemon, "aw", %progbits
        .balign \size
        .dc.a   fork
        .popsection
        .endm

/* Has a program with dlclose(3) contain dlsym, by which the runtime finds the C library's own; its address has so many
 * bytes. In no other member, so that no program asks for it needlessly. */
        .macro  DLCLOSE_DLSYM size
        .pushsection .data.rel.ro.__gmon_dlclose, "aw", %progbits
        .balign \size
        .weak   dlsym
        OBJECT  GLOBAL, __gmon_dlsym
        .dc.a   dlsym
        SIZE    __gmon_dlsym
        .popsection
        .endm

/* Where the list of units of old gcc's -a begins (see asm/x86_64.bb.S): a null pointer of so many bytes. Our own
 * code takes it by a local name, so that no other definition gets between. */
        .macro  BB_HEAD size
        .pushsection .bss.__gmon_bb, "aw", %nobits
        .balign \size
        OBJECT  GLOBAL, __bb_head
__bb_head_here:
        .zero   \size
        SIZE    __bb_head
        .popsection
        .endm

/* On 32-bit ARM: what the code is. */
        .macro  ARM_CODE
        .syntax unified
        .arch   armv7-a
        .arm
        .cfi_sections .debug_frame
        .endm

/* On 32-bit ARM: keeps the registers that a system call takes arguments in and functions keep, and restores
 * them. What the caller left on the stack is 16 bytes further up meanwhile. */
        .macro  ARM_KEEP
        strd    r4, r5, [sp, #-16]!
        .cfi_def_cfa_offset 16
        .cfi_offset r4, -16
        .cfi_offset r5, -12
        str     r7, [sp, #8]
        .cfi_offset r7, -8
        .endm

        .macro  ARM_RESTORE
        ldr     r7, [sp, #8]
        .cfi_restore r7
        ldrd    r4, r5, [sp], #16
        .cfi_restore r4
        .cfi_restore r5
        .cfi_def_cfa_offset 0
        .endm

/* Like ARM_KEEP and ARM_RESTORE, on 32-bit x86. */
        .macro  X86_KEEP
        .irp    register, %ebx, %esi, %edi, %ebp
        pushl   \register
        .cfi_adjust_cfa_offset 4
        .cfi_rel_offset \register, 0
        .endr
        .endm

        .macro  X86_RESTORE
        .irp    register, %ebp, %edi, %esi, %ebx
        popl    \register
        .cfi_adjust_cfa_offset -4
        .cfi_restore \register
        .endr
        .endm

/* On x86: this code keeps indirect branch tracking and shadow stacks. The linker clears both for the
 * whole program if a part of it does not say so. */
        .macro  BRANCH_TRACKING word
        .pushsection .note.gnu.property, "a", %note
        .balign \word
        .long   4, 8 + \word, 5
        .asciz  "GNU"
        .long   0xc0000002, 4, 3
        .balign \word
        .popsection
        .endm

/* Nobody needs an executable stack. */
        .pushsection .note.GNU-stack, "", %progbits
        .popsection
