/* Compares the whole state of the processor before and after a hook: every general register, the
   x87, the vector registers in their full width, the masks, and the control words. The hook is called
   from ever new places, so that it has to find room for them, and again from the old ones; with the
   stack at every alignment; in a new thread, in a child, and while the profile is stopped.
   Prints the name of what has changed, and last how often `mcount` and `__fentry__` were called. */
#define _GNU_SOURCE
#include <cpuid.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "gmon.h"

#define PLACES 1500
#define XSAVE_SIZE 8192
#define XCOMP_MASK 0xe7 /* x87, SSE, AVX, masks and both parts of AVX-512: what a hook might use */

/* A hook is called here, from one of so many places. Each is 8 bytes. */
__asm__(".pushsection .text\n"
        ".balign 8\n"
        ".type mcount_places, %function\n"
        "mcount_places:\n"
        ".rept 1500\n"
        "1: call *mcount@GOTPCREL(%rip)\n ret\n .balign 8\n"
        ".endr\n"
        ".type fentry_places, %function\n"
        "fentry_places:\n"
        ".rept 1500\n"
        "1: call *__fentry__@GOTPCREL(%rip)\n ret\n .balign 8\n"
        ".endr\n"
        ".type return_place, %function\n"
        "return_place:\n"
        " nop\n"
        ".popsection\n");
extern const char mcount_places[], fentry_places[], return_place[];

/* rax rbx rcx rdx rsi rdi r8 r9 r10 r12 r13 r14 r15, and rflags */
enum { GENERAL = 13 };
static const char *const names[] = {"rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8",
                                    "r9",  "r10", "r12", "r13", "r14", "r15"};

struct state {
    uint64_t general[GENERAL];
    uint64_t frame, stack, flags;
    unsigned char extended[XSAVE_SIZE] __attribute__((aligned(64)));
};

/* Loads `before`, calls `place` with `%rsp` lowered by `shift`, stores `after`.
   With `%rbp` at a frame whose caller is `return_place`, and that also on the top of the stack, both
   hooks find a frompc. */
void call_place(const struct state *before, struct state *after, const char *place, long shift);
__asm__(".pushsection .text\n"
        ".globl call_place\n"
        ".type call_place, %function\n"
        "call_place:\n"
        " push %rbx\n push %rbp\n push %r12\n push %r13\n push %r14\n push %r15\n"
        " mov %rsp, %rax\n"
        " sub %rcx, %rsp\n"
        " and $-8, %rsp\n"
        " push %rax\n"               /* the stack to come back to */
        " push %rsi\n"               /* after */
        " push %rdx\n"               /* place */
        " lea return_place(%rip), %rax\n"
        " push %rax\n push %rbp\n"   /* a frame for mcount */
        " mov %rsp, %rbp\n"
        " push %rax\n"               /* a caller for __fentry__ */
        " mov %rdi, %r11\n"
        " mov $0xe7, %eax\n xor %edx, %edx\n"
        " xrstor64 128(%r11)\n"
        " mov 0(%r11), %rax\n mov 8(%r11), %rbx\n mov 16(%r11), %rcx\n mov 24(%r11), %rdx\n"
        " mov 32(%r11), %rsi\n mov 40(%r11), %rdi\n mov 48(%r11), %r8\n mov 56(%r11), %r9\n"
        " mov 64(%r11), %r10\n mov 72(%r11), %r12\n mov 80(%r11), %r13\n mov 88(%r11), %r14\n"
        " mov 96(%r11), %r15\n"
        " mov %rbp, %r11\n"
        " call *16(%rbp)\n"
        " mov 24(%rbp), %r11\n"
        " mov %rax, 0(%r11)\n mov %rbx, 8(%r11)\n mov %rcx, 16(%r11)\n mov %rdx, 24(%r11)\n"
        " mov %rsi, 32(%r11)\n mov %rdi, 40(%r11)\n mov %r8, 48(%r11)\n mov %r9, 56(%r11)\n"
        " mov %r10, 64(%r11)\n mov %r12, 72(%r11)\n mov %r13, 80(%r11)\n mov %r14, 88(%r11)\n"
        " mov %r15, 96(%r11)\n"
        " lea 8(%rsp), %rax\n sub %rbp, %rax\n mov %rax, 112(%r11)\n"
        " pushfq\n pop %rax\n mov %rax, 120(%r11)\n"
        " mov $0xe7, %eax\n xor %edx, %edx\n"
        " xsave64 128(%r11)\n"
        " fninit\n vzeroupper\n"
        " mov 32(%rbp), %rsp\n"
        " pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbp\n pop %rbx\n"
        " ret\n"
        ".size call_place, . - call_place\n"
        ".popsection\n");

static struct part {
    const char *name;
    unsigned offset, size;
    int index;
} parts[] = {
    {"x87 control", 0, 24, 0},
    {"MXCSR", 24, 4, 0},
    {"x87 registers", 32, 128, 0},
    {"XMM", 160, 256, 0},
    {"upper half of YMM", 0, 0, 2},
    {"masks", 0, 0, 5},
    {"upper half of ZMM0-15", 0, 0, 6},
    {"ZMM16-31", 0, 0, 7},
};
enum { PARTS = sizeof parts / sizeof *parts };

static uint64_t supported;
static unsigned long calls[2], failures;

static void find_parts(void)
{
    unsigned a, b, c, d, low, high;
    int i;

    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    supported = low & XCOMP_MASK;
    for (i = 0; i < PARTS; i++)
        if (parts[i].index >= 2 && supported >> parts[i].index & 1) {
            __cpuid_count(0xd, parts[i].index, a, b, c, d);
            parts[i].size = a;
            parts[i].offset = b;
        }
}

/* Different bytes everywhere, but valid control words. */
static void fill(struct state *state, unsigned seed)
{
    unsigned char *x = state->extended;
    unsigned i, j;

    memset(state, 0, sizeof *state);
    for (i = 0; i < GENERAL; i++)
        state->general[i] = 0x9e3779b97f4a7c15u * (seed + i + 1);
    for (i = 0; i < PARTS; i++)
        for (j = 0; j < parts[i].size; j++)
            x[parts[i].offset + j] = (unsigned char)(seed * 31 + i * 17 + j * 7 + 1);
    memset(x, 0, 32);
    x[0] = 0x7f, x[1] = 0x0e;                /* control word: round towards zero, all masked */
    x[4] = 0xff;                             /* all eight x87 registers are in use */
    *(uint32_t *)(x + 24) = 0x1f80 | 0x6000; /* MXCSR: the same */
    for (i = 0; i < 8; i++)
        memset(x + 32 + 16 * i + 10, 0, 6);
    *(uint64_t *)(x + 512) = supported;
}

static void differs(const char *what, const char *when)
{
    if (failures++ < 20)
        printf("changed: %s, %s\n", what, when);
}

static void compare(const struct state *a, const struct state *b, const char *when)
{
    unsigned i;

    for (i = 0; i < GENERAL; i++)
        if (a->general[i] != b->general[i])
            differs(names[i], when);
    if (b->stack != 0)
        differs("rsp", when);
    if (b->flags & 0x400)
        differs("direction flag", when);
    for (i = 0; i < PARTS; i++)
        if (memcmp(a->extended + parts[i].offset, b->extended + parts[i].offset, parts[i].size))
            differs(parts[i].name, when);
    if (*(uint64_t *)(b->extended + 512) != supported)
        differs("state in use", when);
}

static void try_hook(int hook, unsigned place, long shift, const char *when)
{
    static __thread struct state before, after;

    fill(&before, place + (unsigned)shift);
    memset(&after, 0, sizeof after);
    call_place(&before, &after, (hook ? fentry_places : mcount_places) + 8 * place, shift);
    compare(&before, &after, when);
    calls[hook]++;
}

static void *try_all(void *when)
{
    unsigned i;
    int hook;

    for (hook = 0; hook < 2; hook++)
        for (i = 0; i < 2 * PLACES; i++)
            try_hook(hook, i % PLACES, 8 * (i % 9), when);
    return 0;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    int status;

    (void)argv;
    find_parts();
    if (argc > 1) {
        /* The first call in a child. */
        pid_t pid = fork();

        if (pid == 0) {
            try_hook(atoi(argv[1]), 3, 8, "in a child");
            fflush(stdout);
            exit(failures != 0);
        }
        waitpid(pid, &status, 0);
        return status != 0;
    }
    try_all("in the first thread");
    pthread_create(&thread, 0, try_all, "in a new thread");
    pthread_join(thread, 0);
    printf("mcount %lu\n__fentry__ %lu\n", calls[0], calls[1]);
    gmon_stop();
    try_all("while stopped");
    gmon_start();
    return failures != 0;
}
