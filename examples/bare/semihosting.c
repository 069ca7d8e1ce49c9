/* gmon.out by semihosting: the debugger, or qemu, writes it as a file in its current directory. */
#include <stdint.h>

#include "board.h"

enum { SYS_OPEN = 1, SYS_CLOSE = 2, SYS_WRITE = 5 };
enum { WRITE_BINARY = 5 };

static long file;

long ask_debugger(long what, const void *arguments);

#ifdef __riscv

/* "RISC-V Semihosting", 2: the three instructions by which a debugger knows the call, on one page. */
__asm__(".pushsection .text.ask_debugger, \"ax\", %progbits\n"
        ".option push\n"
        ".option norvc\n"
        ".balign 16\n"
        "ask_debugger:\n"
        "        slli    zero, zero, 0x1f\n"
        "        ebreak\n"
        "        srai    zero, zero, 7\n"
        "        ret\n"
        ".option pop\n"
        ".popsection\n");

#else

/* "Semihosting for AArch32 and AArch64": the instruction by which a debugger knows the call. */
long ask_debugger(long what, const void *arguments)
{
    register long answer __asm__("r0") = what;
    register const void *parameters __asm__("r1") = arguments;
    __asm__ volatile("bkpt 0xab" : "+r"(answer) : "r"(parameters) : "memory");
    return answer;
}

#endif

void sink_open(void)
{
    static const char name[] = "gmon.out";
    uintptr_t arguments[] = {(uintptr_t)name, WRITE_BINARY, sizeof name - 1};
    file = ask_debugger(SYS_OPEN, arguments);
}

/* The debugger answers how many bytes it has not written. */
int sink_write(const void *bytes, size_t count)
{
    uintptr_t arguments[] = {(uintptr_t)file, (uintptr_t)bytes, count};
    return ask_debugger(SYS_WRITE, arguments) != 0;
}

void sink_close(void)
{
    uintptr_t arguments[] = {(uintptr_t)file};
    ask_debugger(SYS_CLOSE, arguments);
}
