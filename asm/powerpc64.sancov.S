/* Hooks of -fsanitize-coverage=trace-pc and trace-pc-guard for 64-bit PowerPC: a member of its own of the
 * archive, which a program has only if its code calls them and nothing else in it defines them. All are
 * ordinary calls; see asm/x86_64.sancov.S for what they get.
 */

        .pushsection .text.__gmon_sancov, "ax", %progbits

        FUNCTION GLOBAL, __sanitizer_cov_trace_pc
        LANDING_PAD __sanitizer_cov_trace_pc
        mflr    %r4
        addi    %r4, %r4, -1            /* selfpc */
        li      %r3, -1                 /* frompc: a block */
        b       __gmon_count
        END     __sanitizer_cov_trace_pc

        FUNCTION GLOBAL, __sanitizer_cov_trace_pc_guard
        LANDING_PAD __sanitizer_cov_trace_pc_guard
        lwa     %r5, 0(%r3)
        add     %r4, %r3, %r5           /* selfpc */
        cmpdi   %r5, 0
        bne     1f
        mflr    %r4                     /* where the guard knows none */
        addi    %r4, %r4, -1
1:      li      %r3, -1
        b       __gmon_count
        END     __sanitizer_cov_trace_pc_guard

        FORWARD GLOBAL, __sanitizer_cov_trace_pc_guard_init, __gmon_guards

        FORWARD GLOBAL, __sanitizer_cov_pcs_init, __gmon_guard_pcs
        .popsection
