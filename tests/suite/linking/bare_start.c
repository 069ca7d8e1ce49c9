/* A program that begins at its own _start: no start file, so nobody runs constructors and the first
   hook starts the profile. It ends by END. */
#include <gmon.h>
#include <stdlib.h>
#include <unistd.h>
#include "counted.h"

COUNTED void leaf(void)
{
    BARRIER();
}

COUNTED void work(void)
{
    for (int i = 0; i < 3; i++)
        leaf();
    BARRIER();
}

__attribute__((used)) void begin(void)
{
    for (int i = 0; i < 5; i++)
        work();
    END;
}

__asm__(".globl _start\n"
        ".type _start, @function\n"
        "_start: endbr64\n"
        "xor %ebp, %ebp\n"
        "and $-16, %rsp\n"
        "call begin\n"
        "hlt\n");
