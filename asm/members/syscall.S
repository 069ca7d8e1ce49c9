/* syscall(2): a member of its own of the archive, which a program has only if it refers to it and does not define it
 * itself.
 *
 *   syscall(number, a, b, c, d, e, f)   what the kernel answers, or -1 and errno
 *
 * System calls that end or replace the program go to the runtime (runtime/src/linux/ends/system_call.rs). On x86 all
 * others go on to the C library's function, once its address is known: a program may have the kernel look where
 * system calls come from (PR_SET_SYSCALL_USER_DISPATCH, which only x86 has had for long). Else they are made right
 * here, as in the C library: without a frame, so that also those can return twice or on another stack that do.
 */

        .pushsection .text.__gmon_syscall, "ax", %progbits
        FUNCTION GLOBAL, syscall
        MAKE_SYSCALL
        END     syscall
        .popsection
