/* What is the same on every Linux: the words that hooks look at, the functions of the C library that we
 * use, those whose place we take, and a note. Assembled behind shared.S and the processor's file of this kind,
 * which has defined PAGE, the largest page of memory that its systems use, and the macro GMON_INSTEAD_LIST.
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

/* What a hook may do on its own: enum State in runtime/src/state.rs. On a page of its own, which the
 * kernel can be asked to wipe in a forked child, behind the other data of the program. */
        .pushsection .gmon_state, "aw", %nobits
        .balign PAGE
        OBJECT  HIDDEN, __gmon_state
        .zero   PAGE
        SIZE    __gmon_state
        .popsection

/* What we use of the C library, where there is one: struct CLibrary in
 * system/src/linux/c_library.rs. What the program lacks is null. */
        .pushsection .data.rel.ro.__gmon_c_library, "aw", %progbits
        .balign 8
        OBJECT  HIDDEN, __gmon_c_library
        GMON_ASK __cxa_atexit
        GMON_ASK at_quick_exit
        GMON_ASK __cxa_at_quick_exit
        GMON_ASK pthread_atfork
        GMON_ASK fork
        GMON_ASK __register_atfork
        GMON_ASK profil
        GMON_ASK getauxval
        GMON_ASK __errno_location
        GMON_ASK __environ
        GMON_ASK __libc_setup_tls
        GMON_ASK __init_tls
        GMON_ASK __gmon_dlsym
        GMON_ASK __gmon_next_syscall
        SIZE    __gmon_c_library
        .popsection

/* Functions of the C library that end the program, or decide on what ends it, so that its profile can
 * be written first. Weak: a program that defines one itself keeps its own. */
        .pushsection .text.__gmon_instead, "ax", %progbits
        FORWARD WEAK, _exit, __gmon_instead__exit
        FORWARD WEAK, _Exit, __gmon_instead__exit
        FORWARD WEAK, __fork_handler, __gmon_fork_handler
        FORWARD WEAK, abort, __gmon_instead_abort
        FORWARD WEAK, sigaction, __gmon_instead_sigaction
        FORWARD WEAK, signal, __gmon_instead_signal
        FORWARD WEAK, bsd_signal, __gmon_instead_signal
        FORWARD WEAK, ssignal, __gmon_instead_signal
        FORWARD WEAK, sysv_signal, __gmon_instead_sysv_signal
        FORWARD WEAK, __sysv_signal, __gmon_instead_sysv_signal
        FORWARD WEAK, sigset, __gmon_instead_sigset
        FORWARD WEAK, sigignore, __gmon_instead_sigignore
        FORWARD WEAK, siginterrupt, __gmon_instead_siginterrupt
        FORWARD WEAK, sigprocmask, __gmon_instead_sigprocmask
        FORWARD WEAK, pthread_sigmask, __gmon_instead_pthread_sigmask
        FORWARD WEAK, setitimer, __gmon_instead_setitimer
        FORWARD WEAK, getitimer, __gmon_instead_getitimer
        FORWARD WEAK, execve, __gmon_instead_execve
        FORWARD WEAK, execvpe, __gmon_instead_execvpe
        FORWARD WEAK, fexecve, __gmon_instead_fexecve
        FORWARD WEAK, execveat, __gmon_instead_execveat
        FORWARD WEAK, execv, __gmon_instead_execv
        FORWARD WEAK, execvp, __gmon_instead_execvp
        GMON_INSTEAD_LIST execl, __gmon_instead_execv, 0
        GMON_INSTEAD_LIST execlp, __gmon_instead_execvp, 0
        GMON_INSTEAD_LIST execle, __gmon_instead_execve, 1
        .popsection

/* Tells that gmon's runtime is in a program, even in a stripped one. */
        .pushsection .note.gmon, "a", %note
        .balign 4
        .long   5, 2f - 1f, 1
        .asciz  "gmon"
        .balign 4
1:      GMON_VERSION
2:      .balign 4
        .popsection
