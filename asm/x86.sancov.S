/* Hooks of -fsanitize-coverage=trace-pc and trace-pc-guard for 32-bit x86 (AT&T syntax): a member of its own
 * of the archive, which a program has only if its code calls them and nothing else in it defines them. All are
 * ordinary calls; see asm/x86_64.sancov.S for what they get.
 */

        .pushsection .text.__gmon_sancov, "ax", %progbits

/* Counts the block at %eax, and returns. */
        .macro  GMON_BLOCK
        pushl   %eax
        .cfi_adjust_cfa_offset 4
        pushl   %eax                    /* selfpc */
        .cfi_adjust_cfa_offset 4
        pushl   $-1                     /* frompc: a block */
        .cfi_adjust_cfa_offset 4
        call    __gmon_count@PLT
        addl    $12, %esp
        .cfi_adjust_cfa_offset -12
        ret
        .endm

        FUNCTION GLOBAL, __sanitizer_cov_trace_pc
        endbr32
        movl    (%esp), %eax
        decl    %eax
        GMON_BLOCK
        END     __sanitizer_cov_trace_pc

        FUNCTION GLOBAL, __sanitizer_cov_trace_pc_guard
        endbr32
        movl    4(%esp), %ecx
        movl    (%ecx), %eax
        testl   %eax, %eax
        jz      1f
        addl    %ecx, %eax
        GMON_BLOCK
1:      movl    (%esp), %eax            /* where the guard knows none */
        decl    %eax
        GMON_BLOCK
        END     __sanitizer_cov_trace_pc_guard

        FORWARD GLOBAL, __sanitizer_cov_trace_pc_guard_init, __gmon_guards

        FORWARD GLOBAL, __sanitizer_cov_pcs_init, __gmon_guard_pcs
        .popsection
