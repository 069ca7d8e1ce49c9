/* What hooks have in common on 32-bit ARM and on Cortex-M from V7-M on. Assembled before the file of the
 * processor, which defines GMON_PROBE and GMON_NO_HIT.
 */

/* Makes the hash of the arc r0 -> r1 in r2, all bits of it. Changes r3. */
        .macro  HASH
        movw    r2, #HASH_FROM & 0xffff
        movt    r2, #HASH_FROM >> 16
        mla     r2, r0, r2, r1
        movw    r3, #HASH_BOTH & 0xffff
        movt    r3, #HASH_BOTH >> 16
        mul     r2, r2, r3
        .endm

/* Makes the addresses of an arc even: the frompc in r0, and lr as the selfpc in r1. */
        .macro  EVEN_ARC
        bic     r0, r0, #1
        bic     r1, lr, #1
        .endm

/* Counts the arc r0 -> r1 and returns. */
        .macro  GMON_HOOK
        GMON_PROBE
9:      bx      lr
        GMON_NO_HIT __mcount_internal, 9b
        .endm

/* __gmon_count(frompc, selfpc), the last hook. Members of the archive that are hooks by another name come here. */
        .macro  GMON_COUNT
        FUNCTION GLOBAL, __gmon_count, 64
        GMON_HOOK
        END     __gmon_count

        HOOKS_END
        .endm
