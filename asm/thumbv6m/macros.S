/* What the other files are made of on Cortex-M: see macros.S. V6-M's instructions, which all of them have. */

        .syntax unified
        .thumb

        .macro  LANDING_PAD name
        .endm

/* V6-M's jump does not reach far. */
        .macro  TAIL_CALL function
        ldr     r3, 1f
        bx      r3
        .balign 4
1:      .word   \function
        .endm

        .macro  GO_BACK
        bx      lr
        .endm

/* Goes on with the next entry of the table, or to \miss if this one, whose selfpc is in r3, is free. Data may follow. */
        .macro  NEXT_ENTRY probe, miss
        adds    r2, r2, #ENTRY_SIZE
        cmp     r3, #0
        bne     \probe
        b       \miss
        .balign 4
        .endm

/* What Rust asks for of each thread: there are none. */
        .macro  NO_THREADS
/* __gmon_thread_pointer(): what threads have is there. */
        FUNCTION HIDDEN, __gmon_thread_pointer
        movs    r0, #1
        bx      lr
        END     __gmon_thread_pointer

/* __gmon_table_place(): the address of __gmon_table. */
        FUNCTION HIDDEN, __gmon_table_place
        ldr     r0, 1f
        bx      lr
        .balign 4
1:      .word   __gmon_table
        END     __gmon_table_place
        .endm

/* The members of the archive. */
/* Both addresses are odd. */
        .macro  CYG_ARC
        subs    r2, r0, #1
        subs    r0, r1, #1              /* frompc */
        mov     r1, r2                  /* selfpc */
        .endm

        .macro  BB_INIT
        ldr     r1, 2f
        TAIL_CALL __gmon_unit
2:      .word   __bb_head_here
        .endm

        .macro  TRACE_PC
        mov     r1, lr
        subs    r1, r1, #2              /* selfpc: even */
        movs    r0, #0                  /* frompc: a block */
        mvns    r0, r0
        TAIL_CALL __gmon_count
        .endm

        .macro  TRACE_PC_GUARD
        ldr     r2, [r0]
        mov     r1, lr
        subs    r1, r1, #2              /* selfpc, where the guard knows none */
        cmp     r2, #0
        beq     2f
        adds    r1, r0, r2
2:      movs    r0, #0
        mvns    r0, r0
        TAIL_CALL __gmon_count
        .endm
