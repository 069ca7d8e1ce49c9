/* What is the same on every processor: the caller of callers, and data that the stubs and Rust share. Assembled
 * behind the file of the processor.
 */

/* Stands in reports for every caller outside the program: the C library calling a comparator, the kernel
 * calling a signal handler, the start of a thread. Never called. On some processors N.linux.S puts right behind
 * it what signal handlers return to, so that it is their caller. */
        .pushsection .text.__gmon_hooks, "ax", %progbits
        EMPTY   GLOBAL, __external_caller
        .popsection

/* A table in which every probe misses: mask 0, one free entry. Never written. */
        .pushsection .bss.__gmon_no_table, "aw", %nobits
        .balign 32
        .zero   64
        OBJECT  HIDDEN, __gmon_no_table
        .zero   32
        SIZE    __gmon_no_table
        .popsection

/* The address of a symbol; null if the program lacks it. */
        .macro  GMON_ASK name
        WEAK    \name
        .dc.a   \name
        .endm

/* The ends of the runtime's code, where it lies in one piece: the build script of the gmon command. Before it lie the
 * functions in the place of the C library's, with the parts of Rust that are called __gmon_instead_NAME. */
        .pushsection .data.rel.ro.__gmon_text, "aw", %progbits
        .balign 8
        OBJECT  HIDDEN, __gmon_text
        GMON_ASK __gmon_instead_start
        GMON_ASK __gmon_text_start
        GMON_ASK __gmon_text_end
        SIZE    __gmon_text
        .popsection
