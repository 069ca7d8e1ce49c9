/* Hooks of -fsanitize-coverage=trace-pc and trace-pc-guard for 64-bit MIPS: a member of its own of the
 * archive, which a program has only if its code calls them and nothing else in it defines them. All are
 * ordinary calls; see asm/x86_64.sancov.S for what they get.
 */

        .pushsection .text.__gmon_sancov, "ax", %progbits

        FUNCTION GLOBAL, __sanitizer_cov_trace_pc
        LANDING_PAD __sanitizer_cov_trace_pc
        daddiu  $5, $31, -1             /* selfpc */
        li      $4, -1                  /* frompc: a block */
        TAIL_CALL __gmon_count
        END     __sanitizer_cov_trace_pc

        FUNCTION GLOBAL, __sanitizer_cov_trace_pc_guard
        LANDING_PAD __sanitizer_cov_trace_pc_guard
        lw      $2, 0($4)
        bnez    $2, 1f
         daddu  $5, $4, $2              /* selfpc */
        daddiu  $5, $31, -1             /* where the guard knows none */
1:      li      $4, -1
        TAIL_CALL __gmon_count
        END     __sanitizer_cov_trace_pc_guard

        FORWARD GLOBAL, __sanitizer_cov_trace_pc_guard_init, __gmon_guards

        FORWARD GLOBAL, __sanitizer_cov_pcs_init, __gmon_guard_pcs
        .popsection
