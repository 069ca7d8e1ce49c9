/* Compares all registers that calls can carry something in before and after a function of a library is called, from
 * ever new places, so that its stub has to find room for them, and again from the old ones; with the stack at every
 * alignment. The function is one that changes nothing: it returns. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define PLACES 1500

__asm__(".pushsection .text\n"
        ".balign 8\n"
        "places:\n"
        ".rept 1500\n"
        "call nothing@PLT\n ret\n .balign 8\n"
        ".endr\n"
        ".popsection\n");
extern const char places[];

#ifdef __i386__

struct state {
    uint32_t general[7]; /* all but the stack pointer */
    uint32_t vector[8][4];
};

#else

struct state {
    uint64_t general[15]; /* all but the stack pointer */
    uint64_t vector[16][2];
};

#endif

/* Loads `before`, calls `place` with the stack lowered by `shift`, stores `after`. */
void call_place(const struct state *before, struct state *after, const char *place, long shift);

#ifdef __i386__

__asm__(".pushsection .text\n"
        "call_place:\n"
        " push %ebx\n push %ebp\n push %esi\n push %edi\n"
        " mov %esp, saved_stack\n"
        " mov 24(%esp), %eax\n mov %eax, saved_after\n"
        " mov 28(%esp), %eax\n mov %eax, saved_place\n"
        " mov 20(%esp), %eax\n"
        " sub 32(%esp), %esp\n"
        ".irp n, 0,1,2,3,4,5,6,7\n"
        " movups 28+16*\\n(%eax), %xmm\\n\n"
        ".endr\n"
        " mov 4(%eax), %ebx\n mov 8(%eax), %ecx\n mov 12(%eax), %edx\n mov 16(%eax), %esi\n"
        " mov 20(%eax), %edi\n mov 24(%eax), %ebp\n mov (%eax), %eax\n"
        " call *saved_place\n"
        " mov saved_stack, %esp\n"
        " push %eax\n"
        " mov saved_after, %eax\n"
        " mov %ebx, 4(%eax)\n mov %ecx, 8(%eax)\n mov %edx, 12(%eax)\n mov %esi, 16(%eax)\n"
        " mov %edi, 20(%eax)\n mov %ebp, 24(%eax)\n"
        ".irp n, 0,1,2,3,4,5,6,7\n"
        " movups %xmm\\n, 28+16*\\n(%eax)\n"
        ".endr\n"
        " pop %ebx\n mov %ebx, (%eax)\n"
        " pop %edi\n pop %esi\n pop %ebp\n pop %ebx\n"
        " ret\n"
        ".popsection\n"
        ".local saved_stack\n .comm saved_stack, 4, 4\n"
        ".local saved_after\n .comm saved_after, 4, 4\n"
        ".local saved_place\n .comm saved_place, 4, 4\n");

#else

__asm__(".pushsection .text\n"
        "call_place:\n"
        " push %rbx\n push %rbp\n push %r12\n push %r13\n push %r14\n push %r15\n"
        " mov %rsp, saved_stack(%rip)\n"
        " mov %rsi, saved_after(%rip)\n"
        " mov %rdx, saved_place(%rip)\n"
        " sub %rcx, %rsp\n"
        " mov %rdi, %rax\n"
        ".irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
        " movups 120+16*\\n(%rax), %xmm\\n\n"
        ".endr\n"
        " mov 8(%rax), %rbx\n mov 16(%rax), %rcx\n mov 24(%rax), %rdx\n mov 32(%rax), %rsi\n"
        " mov 40(%rax), %rdi\n mov 48(%rax), %rbp\n mov 56(%rax), %r8\n mov 64(%rax), %r9\n"
        " mov 72(%rax), %r10\n mov 80(%rax), %r11\n mov 88(%rax), %r12\n mov 96(%rax), %r13\n"
        " mov 104(%rax), %r14\n mov 112(%rax), %r15\n mov (%rax), %rax\n"
        " call *saved_place(%rip)\n"
        " mov saved_stack(%rip), %rsp\n"
        " push %rax\n"
        " mov saved_after(%rip), %rax\n"
        " mov %rbx, 8(%rax)\n mov %rcx, 16(%rax)\n mov %rdx, 24(%rax)\n mov %rsi, 32(%rax)\n"
        " mov %rdi, 40(%rax)\n mov %rbp, 48(%rax)\n mov %r8, 56(%rax)\n mov %r9, 64(%rax)\n"
        " mov %r10, 72(%rax)\n mov %r11, 80(%rax)\n mov %r12, 88(%rax)\n mov %r13, 96(%rax)\n"
        " mov %r14, 104(%rax)\n mov %r15, 112(%rax)\n"
        ".irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
        " movups %xmm\\n, 120+16*\\n(%rax)\n"
        ".endr\n"
        " pop %rbx\n mov %rbx, (%rax)\n"
        " pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbp\n pop %rbx\n"
        " ret\n"
        ".popsection\n"
        ".local saved_stack\n .comm saved_stack, 8, 8\n"
        ".local saved_after\n .comm saved_after, 8, 8\n"
        ".local saved_place\n .comm saved_place, 8, 8\n");

#endif

int main(void)
{
    struct state before, after;
    uint64_t number = 1;
    for (unsigned i = 0; i < sizeof before; i++) {
        number = number * 6364136223846793005u + 1442695040888963407u;
        ((unsigned char *)&before)[i] = number >> 56;
    }
    for (int round = 0; round < 2; round++)
        for (long place = 0; place < PLACES; place++) {
            memset(&after, 0, sizeof after);
            call_place(&before, &after, places + 8 * place, place % 64);
            if (memcmp(&before, &after, sizeof before)) {
                printf("changed at place %ld, round %d\n", place, round);
                return 1;
            }
        }
    puts("done");
    return 0;
}
