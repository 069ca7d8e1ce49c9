/* What hooks that time calls by themselves know of Rust's structures, on all processors that have such. Assembled before the
 * file of the processor.
 */

/* struct Thread in runtime/src/linux/threads.rs. */
        .set    THREAD_TIMES, 8
/* struct Times in runtime/src/linux/times/shadow.rs, and what it has of a call. */
        .set    TIMES_TOP, 0
        .set    TIMES_LIMIT, 8
        .set    TIMES_LOW, 16
        .set    TIMES_HIGH, 24
        .set    TIMES_KEYS, 32
        .set    TIMES_MASK, 40
        .set    TIMES_SCALE, 48
        .set    TIMES_LONG, 56
        .set    CALL_SLOT, 0
        .set    CALL_RETURN, 8
        .set    CALL_NUMBERS, 16
        .set    CALL_BEGAN, 24
        .set    CALL_FUNCTION, 32
        .set    CALL_HOOK, 40
        .set    CALL_FRAME, 48
        .set    CALL_EVERY, 56
        .set    CALL_SIZE, 64
        .set    TIMES_JUDGED, 0xfff
/* A function's numbers: gmon_format::live::Timing. */
        .set    NUMBERS_TIMED, 16
        .set    NUMBERS_TOTAL, 32
        .set    NUMBERS_LONGEST, 40
        .set    NUMBERS_EVERY, 48
        .set    NUMBERS_SEEN, 56
        .set    NUMBERS_BUCKETS, 64
        .set    TIMES_LINEAR, 1 << 8
        .set    TIMES_MOST_BITS, 39
