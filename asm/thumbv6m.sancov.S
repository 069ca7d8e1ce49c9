/* Hooks of -fsanitize-coverage=trace-pc and trace-pc-guard for Cortex-M: a member of its own of the archive, which
 * a program has only if its code calls them and nothing else in it defines them. All are ordinary calls; see
 * asm/x86_64.sancov.S for what they get.
 */

        .pushsection .text.__gmon_sancov, "ax", %progbits

        FUNCTION GLOBAL, __sanitizer_cov_trace_pc
        mov     r1, lr
        subs    r1, r1, #2              /* selfpc: even */
        movs    r0, #0                  /* frompc: a block */
        mvns    r0, r0
        TAIL_CALL __gmon_count
        END     __sanitizer_cov_trace_pc

        FUNCTION GLOBAL, __sanitizer_cov_trace_pc_guard
        ldr     r2, [r0]
        mov     r1, lr
        subs    r1, r1, #2              /* selfpc, where the guard knows none */
        cmp     r2, #0
        beq     2f
        adds    r1, r0, r2
2:      movs    r0, #0
        mvns    r0, r0
        TAIL_CALL __gmon_count
        END     __sanitizer_cov_trace_pc_guard

        FORWARD GLOBAL, __sanitizer_cov_trace_pc_guard_init, __gmon_guards

        FORWARD GLOBAL, __sanitizer_cov_pcs_init, __gmon_guard_pcs
        .popsection
