/* Hooks of -fsanitize-coverage=trace-pc and trace-pc-guard for 32-bit ARM: a member of its own of the
 * archive, which a program has only if its code calls them and nothing else in it defines them. All are
 * ordinary calls; see asm/x86_64.sancov.S for what they get.
 */

        .pushsection .text.__gmon_sancov, "ax", %progbits

        FUNCTION GLOBAL, __sanitizer_cov_trace_pc
        bic     r1, lr, #1
        sub     r1, r1, #1              /* selfpc */
        mvn     r0, #0                  /* frompc: a block */
        b       __gmon_count
        END     __sanitizer_cov_trace_pc

        FUNCTION GLOBAL, __sanitizer_cov_trace_pc_guard
        ldr     r2, [r0]
        bic     r1, lr, #1
        cmp     r2, #0
        subeq   r1, r1, #1              /* selfpc, where the guard knows none */
        addne   r1, r0, r2
        mvn     r0, #0
        b       __gmon_count
        END     __sanitizer_cov_trace_pc_guard

        FORWARD GLOBAL, __sanitizer_cov_trace_pc_guard_init, __gmon_guards

        FORWARD GLOBAL, __sanitizer_cov_pcs_init, __gmon_guard_pcs
        .popsection
