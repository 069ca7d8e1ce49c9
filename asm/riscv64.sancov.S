/* Hooks of -fsanitize-coverage=trace-pc and trace-pc-guard for RISC-V: a member of its own of the
 * archive, which a program has only if its code calls them and nothing else in it defines them. All are
 * ordinary calls; see asm/x86_64.sancov.S for what they get.
 */

        .pushsection .text.__gmon_sancov, "ax", %progbits

        FUNCTION GLOBAL, __sanitizer_cov_trace_pc
        /* selfpc */
        addi    a1, ra, -1
        /* frompc: a block */
        li      a0, -1
        tail    __gmon_count
        END     __sanitizer_cov_trace_pc

        FUNCTION GLOBAL, __sanitizer_cov_trace_pc_guard
        lw      a2, 0(a0)
        /* selfpc */
        add     a1, a0, a2
        bnez    a2, 1f
        /* where the guard knows none */
        addi    a1, ra, -1
1:      li      a0, -1
        tail    __gmon_count
        END     __sanitizer_cov_trace_pc_guard

        FORWARD GLOBAL, __sanitizer_cov_trace_pc_guard_init, __gmon_guards

        FORWARD GLOBAL, __sanitizer_cov_pcs_init, __gmon_guard_pcs
        .popsection
