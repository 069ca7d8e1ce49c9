/* What is the same on every processor without a system: the words that hooks look at. Assembled behind
 * shared.S.
 */

/* No code is unwound on the board: what debuggers want stays in the executable. */
        .cfi_sections .debug_frame

/* The table; before the profile starts, one without room. */
        .pushsection .data.__gmon_table, "aw", %progbits
        .balign 8
        OBJECT  HIDDEN, __gmon_table
        .dc.a   __gmon_no_table
        SIZE    __gmon_table
        .popsection

/* What a hook may do on its own: enum State in runtime/src/state.rs. */
        .pushsection .bss.__gmon_state, "aw", %nobits
        .balign 8
        OBJECT  HIDDEN, __gmon_state
        .zero   8
        SIZE    __gmon_state
        .popsection
