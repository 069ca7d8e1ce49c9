/* Hooks of -fsanitize-coverage=trace-pc and trace-pc-guard for AArch64: a member of its own of the
 * archive, which a program has only if its code calls them and nothing else in it defines them. All are
 * ordinary calls; see asm/x86_64.sancov.S for what they get.
 */

        .pushsection .text.__gmon_sancov, "ax", %progbits

        .balign 16
        .globl  __sanitizer_cov_trace_pc
        .type   __sanitizer_cov_trace_pc, %function
__sanitizer_cov_trace_pc:
        .cfi_startproc
        hint    #34                     /* bti c */
        sub     x1, x30, #1             /* selfpc */
        mov     x0, #-1                 /* frompc: a block */
        b       __gmon_count
        .cfi_endproc
        .size   __sanitizer_cov_trace_pc, . - __sanitizer_cov_trace_pc

        .balign 16
        .globl  __sanitizer_cov_trace_pc_guard
        .type   __sanitizer_cov_trace_pc_guard, %function
__sanitizer_cov_trace_pc_guard:
        .cfi_startproc
        hint    #34
        ldrsw   x2, [x0]
        sub     x1, x30, #1             /* selfpc, where the guard knows none */
        add     x3, x0, x2
        cmp     x2, #0
        csel    x1, x1, x3, eq
        mov     x0, #-1
        b       __gmon_count
        .cfi_endproc
        .size   __sanitizer_cov_trace_pc_guard, . - __sanitizer_cov_trace_pc_guard

        .balign 16
        .globl  __sanitizer_cov_trace_pc_guard_init
        .type   __sanitizer_cov_trace_pc_guard_init, %function
__sanitizer_cov_trace_pc_guard_init:
        .cfi_startproc
        hint    #34
        b       __gmon_guards
        .cfi_endproc
        .size   __sanitizer_cov_trace_pc_guard_init, . - __sanitizer_cov_trace_pc_guard_init

        .balign 16
        .globl  __sanitizer_cov_pcs_init
        .type   __sanitizer_cov_pcs_init, %function
__sanitizer_cov_pcs_init:
        .cfi_startproc
        hint    #34
        b       __gmon_guard_pcs
        .cfi_endproc
        .size   __sanitizer_cov_pcs_init, . - __sanitizer_cov_pcs_init
        .popsection

        .pushsection .note.GNU-stack, "", %progbits
        .popsection
