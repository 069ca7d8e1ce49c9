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
