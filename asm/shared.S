/* What is the same on every processor: data that the stubs and Rust share, the functions of the C
 * library whose place we take, and a note. Assembled behind the file of the processor, which has
 * defined PAGE, the largest page of memory that its systems use, and the macros GMON_INSTEAD*.
 */

/* The calling thread's table; before its first call, one without room. Read by the initial-exec
 * model: the offset is known once the program is loaded. */
        .pushsection .tdata, "awT", %progbits
        .balign 8
        .globl  __gmon_table
        .hidden __gmon_table
        .type   __gmon_table, %tls_object
__gmon_table:
        .dc.a   __gmon_no_table
        .size   __gmon_table, . - __gmon_table
        .popsection

/* A table in which every probe misses: mask 0, one free entry. Never written. */
        .pushsection .bss.__gmon_no_table, "aw", %nobits
        .balign 32
        .zero   32
        .globl  __gmon_no_table
        .hidden __gmon_no_table
        .type   __gmon_no_table, %object
        .size   __gmon_no_table, 32
__gmon_no_table:
        .zero   32
        .popsection

/* What a hook may do on its own: enum State in runtime/src/state.rs. On a page of its own, which the
 * kernel can be asked to wipe in a forked child. */
        .pushsection .bss.__gmon_state, "aw", %nobits
        .balign PAGE
        .globl  __gmon_state
        .hidden __gmon_state
        .type   __gmon_state, %object
        .size   __gmon_state, PAGE
__gmon_state:
        .zero   PAGE
        .popsection

/* What we use of the C library, where there is one: struct CLibrary in runtime/src/linux/c_library.rs. What
 * the program lacks is null. */
        .macro  GMON_ASK name
        .weak   \name
        .dc.a   \name
        .endm

        .pushsection .data.rel.ro.__gmon_c_library, "aw", %progbits
        .balign 8
        .globl  __gmon_c_library
        .hidden __gmon_c_library
        .type   __gmon_c_library, %object
__gmon_c_library:
        GMON_ASK __cxa_atexit
        GMON_ASK at_quick_exit
        GMON_ASK __cxa_at_quick_exit
        GMON_ASK pthread_atfork
        GMON_ASK __register_atfork
        GMON_ASK profil
        GMON_ASK getauxval
        GMON_ASK __errno_location
        GMON_ASK environ
        GMON_ASK __libc_setup_tls
        GMON_ASK __init_tls
        .size   __gmon_c_library, . - __gmon_c_library
        .popsection

/* The ends of the runtime's code, where it lies in one piece: the build script of the gmon command. */
        .pushsection .data.rel.ro.__gmon_text, "aw", %progbits
        .balign 8
        .globl  __gmon_text
        .hidden __gmon_text
        .type   __gmon_text, %object
__gmon_text:
        GMON_ASK __gmon_text_start
        GMON_ASK __gmon_text_end
        .size   __gmon_text, . - __gmon_text
        .popsection

/* Functions of the C library that end the program, or decide on what ends it, so that its profile can
 * be written first. Weak: a program that defines one itself keeps its own. */
        .pushsection .text.__gmon_instead, "ax", %progbits
        GMON_INSTEAD _exit, __gmon_exit
        GMON_INSTEAD _Exit, __gmon_exit
        GMON_INSTEAD __fork_handler, __gmon_fork_handler
        GMON_INSTEAD abort, __gmon_abort
        GMON_INSTEAD sigaction, __gmon_sigaction
        GMON_INSTEAD signal, __gmon_signal
        GMON_INSTEAD execve, __gmon_execve
        GMON_INSTEAD execvpe, __gmon_execvpe
        GMON_INSTEAD fexecve, __gmon_fexecve
        GMON_INSTEAD_CURRENT execv, __gmon_execve
        GMON_INSTEAD_CURRENT execvp, __gmon_execvpe
        GMON_INSTEAD_LIST execl, __gmon_execve, 0
        GMON_INSTEAD_LIST execlp, __gmon_execvpe, 0
        GMON_INSTEAD_LIST execle, __gmon_execve, 1
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

        .pushsection .note.GNU-stack, "", %progbits
        .popsection
