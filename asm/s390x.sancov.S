/* Hooks of -fsanitize-coverage=trace-pc and trace-pc-guard for IBM Z in 64 bits: a member of its own of the
 * archive, which a program has only if its code calls them and nothing else in it defines them. All are
 * ordinary calls; see asm/x86_64.sancov.S for what they get.
 */

        .pushsection .text.__gmon_sancov, "ax", %progbits

        FUNCTION GLOBAL, __sanitizer_cov_trace_pc
        lay     %r3, -1(%r14)           /* selfpc */
        lghi    %r2, -1                 /* frompc: a block */
        TAIL_CALL __gmon_count
        END     __sanitizer_cov_trace_pc

        FUNCTION GLOBAL, __sanitizer_cov_trace_pc_guard
        ltgf    %r1, 0(%r2)
        la      %r3, 0(%r1,%r2)         /* selfpc */
        jne     1f
        lay     %r3, -1(%r14)           /* where the guard knows none */
1:      lghi    %r2, -1
        TAIL_CALL __gmon_count
        END     __sanitizer_cov_trace_pc_guard

        FORWARD GLOBAL, __sanitizer_cov_trace_pc_guard_init, __gmon_guards

        FORWARD GLOBAL, __sanitizer_cov_pcs_init, __gmon_guard_pcs
        .popsection
