/* Hooks of -fsanitize-coverage=trace-pc and trace-pc-guard for 64-bit RISC-V: a member of its own of the
 * archive, which a program has only if its code calls them and nothing else in it defines them. All are
 * ordinary calls; see asm/x86_64.sancov.S for what they get.
 */

        .pushsection .text.__gmon_sancov, "ax", %progbits

        .balign 16
        .globl  __sanitizer_cov_trace_pc
        .type   __sanitizer_cov_trace_pc, %function
__sanitizer_cov_trace_pc:
        .cfi_startproc
        /* selfpc */
        addi    a1, ra, -1
        /* frompc: a block */
        li      a0, -1
        tail    __gmon_count
        .cfi_endproc
        .size   __sanitizer_cov_trace_pc, . - __sanitizer_cov_trace_pc

        .balign 16
        .globl  __sanitizer_cov_trace_pc_guard
        .type   __sanitizer_cov_trace_pc_guard, %function
__sanitizer_cov_trace_pc_guard:
        .cfi_startproc
        lw      a2, 0(a0)
        /* selfpc */
        add     a1, a0, a2
        bnez    a2, 1f
        /* where the guard knows none */
        addi    a1, ra, -1
1:      li      a0, -1
        tail    __gmon_count
        .cfi_endproc
        .size   __sanitizer_cov_trace_pc_guard, . - __sanitizer_cov_trace_pc_guard

        .balign 16
        .globl  __sanitizer_cov_trace_pc_guard_init
        .type   __sanitizer_cov_trace_pc_guard_init, %function
__sanitizer_cov_trace_pc_guard_init:
        .cfi_startproc
        tail    __gmon_guards
        .cfi_endproc
        .size   __sanitizer_cov_trace_pc_guard_init, . - __sanitizer_cov_trace_pc_guard_init

        .balign 16
        .globl  __sanitizer_cov_pcs_init
        .type   __sanitizer_cov_pcs_init, %function
__sanitizer_cov_pcs_init:
        .cfi_startproc
        tail    __gmon_guard_pcs
        .cfi_endproc
        .size   __sanitizer_cov_pcs_init, . - __sanitizer_cov_pcs_init
        .popsection

        .pushsection .note.GNU-stack, "", %progbits
        .popsection
