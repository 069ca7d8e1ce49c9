/* Hooks of -fsanitize-coverage=trace-pc and trace-pc-guard for SPARC of 32 and 64 bits: a member of its
 * own of the archive, which a program has only if its code calls them and nothing else in it defines them. All are
 * ordinary calls; see asm/x86_64.sancov.S for what they get.
 */

        .pushsection .text.__gmon_sancov, "ax", %progbits

        FUNCTION GLOBAL, __sanitizer_cov_trace_pc
        mov     %o7, %g1
        .cfi_register %o7, %g1
        mov     %o7, %o1                /* selfpc */
        mov     -1, %o0                 /* frompc: a block */
        call    __gmon_count
        mov     %g1, %o7
        END     __sanitizer_cov_trace_pc

        FUNCTION GLOBAL, __sanitizer_cov_trace_pc_guard
        mov     %o7, %g1
        .cfi_register %o7, %g1
        ldsw    [%o0], %o2
        brz,pn  %o2, 1f
        mov     %o7, %o1                /* selfpc, where the guard knows none */
        add     %o0, %o2, %o1
1:      mov     -1, %o0
        call    __gmon_count
        mov     %g1, %o7
        END     __sanitizer_cov_trace_pc_guard

        FORWARD GLOBAL, __sanitizer_cov_trace_pc_guard_init, __gmon_guards

        FORWARD GLOBAL, __sanitizer_cov_pcs_init, __gmon_guard_pcs
        .popsection
