/* Hooks of -fsanitize-coverage=trace-pc and trace-pc-guard: a member of its own of the archive, which a program has only if
 * its code calls them and nothing else in it defines them.
 *
 *   __sanitizer_cov_trace_pc()             in every basic block
 *   __sanitizer_cov_trace_pc_guard(guard)  the same; the block is known by its guard
 *   __sanitizer_cov_trace_pc_guard_init(start, stop)
 *                                          before any of them, with all guards of the program or library
 *   __sanitizer_cov_pcs_init(start, stop)  after that, with the addresses of their blocks
 *
 * All are ordinary calls. A block is counted as an arc with a frompc that no call has
 * (runtime/src/arcs.rs). Its selfpc is the last byte of the call, or what the guard holds (runtime/src/
 * guards.rs): 0, or the block's address, as a distance from the guard's own.
 */

        .pushsection .text.__gmon_sancov, "ax", %progbits

        FUNCTION GLOBAL, __sanitizer_cov_trace_pc
        TRACE_PC
        END     __sanitizer_cov_trace_pc

        FUNCTION GLOBAL, __sanitizer_cov_trace_pc_guard
        TRACE_PC_GUARD
        END     __sanitizer_cov_trace_pc_guard

        FORWARD GLOBAL, __sanitizer_cov_trace_pc_guard_init, __gmon_guards

        FORWARD GLOBAL, __sanitizer_cov_pcs_init, __gmon_guard_pcs
        .popsection
