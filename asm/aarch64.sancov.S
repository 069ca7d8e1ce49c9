/* Hooks of -fsanitize-coverage=trace-pc and trace-pc-guard for AArch64: a member of its own of the
 * archive, which a program has only if its code calls them and nothing else in it defines them. All are
 * ordinary calls; see asm/x86_64.sancov.S for what they get.
 */

        .pushsection .text.__gmon_sancov, "ax", %progbits

        FUNCTION GLOBAL, __sanitizer_cov_trace_pc
        hint    #34                     /* bti c */
        sub     x1, x30, #1             /* selfpc */
        mov     x0, #-1                 /* frompc: a block */
        b       __gmon_count
        END     __sanitizer_cov_trace_pc

        FUNCTION GLOBAL, __sanitizer_cov_trace_pc_guard
        hint    #34
        ldrsw   x2, [x0]
        sub     x1, x30, #1             /* selfpc, where the guard knows none */
        add     x3, x0, x2
        cmp     x2, #0
        csel    x1, x1, x3, eq
        mov     x0, #-1
        b       __gmon_count
        END     __sanitizer_cov_trace_pc_guard

        FORWARD GLOBAL, __sanitizer_cov_trace_pc_guard_init, __gmon_guards

        FORWARD GLOBAL, __sanitizer_cov_pcs_init, __gmon_guard_pcs
        .popsection
