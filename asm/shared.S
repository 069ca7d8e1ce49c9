/* What is the same on every processor: data that the stubs and Rust share, and a note. Assembled behind
 * the file of the processor, which has defined PAGE, the largest page of memory that its systems use.
 */

/* The calling thread's table; before its first call, one without room. Read by the initial-exec
 * model: the offset is known once the program is loaded. */
        .pushsection .tdata, "awT", %progbits
        .balign 8
        HIDDEN  __gmon_table
        .type   __gmon_table, %tls_object
__gmon_table:
        .dc.a   __gmon_no_table
        SIZE    __gmon_table
        .popsection

/* A table in which every probe misses: mask 0, one free entry. Never written. */
        .pushsection .bss.__gmon_no_table, "aw", %nobits
        .balign 32
        .zero   32
        OBJECT  HIDDEN, __gmon_no_table
        .zero   32
        SIZE    __gmon_no_table
        .popsection

/* What a hook may do on its own: enum State in runtime/src/state.rs. On a page of its own, which the
 * kernel can be asked to wipe in a forked child. */
        .pushsection .bss.__gmon_state, "aw", %nobits
        .balign PAGE
        OBJECT  HIDDEN, __gmon_state
        .zero   PAGE
        SIZE    __gmon_state
        .popsection

/* The address of a symbol; null if the program lacks it. */
        .macro  GMON_ASK name
        WEAK    \name
        .dc.a   \name
        .endm

/* The ends of the runtime's code, where it lies in one piece: the build script of the gmon command. */
        .pushsection .data.rel.ro.__gmon_text, "aw", %progbits
        .balign 8
        OBJECT  HIDDEN, __gmon_text
        GMON_ASK __gmon_text_start
        GMON_ASK __gmon_text_end
        SIZE    __gmon_text
        .popsection

/* Tells that gmon's runtime is in a program, even in a stripped one. */
        .pushsection .note.gmon, "a", %note
        .balign 4
        .long   5, 2f - 1f, 1
        .asciz  "gmon"
        .balign 4
1:      .asciz  "0.1.0"
2:      .balign 4
        .popsection
