/* N threads call `always`, and ten functions that somebody switches meanwhile, at full speed, until the standard input ends.
   Each says in a file, `own`, how often: the calls of `always`, then of each of the others. SIGTRAP is blocked: nobody
   may need it. Compiled with -DFIXED the program is not allowed to make code writable. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "counted.h"

struct own {
    uint64_t calls[16];
};

static volatile int has_ended;

static void count(uint64_t *calls)
{
    __atomic_store_n(calls, *calls + 1, __ATOMIC_RELEASE);
}

COUNTED void always(struct own *own) { count(&own->calls[0]); }

#define SWITCHED(n) \
    COUNTED void switched_##n(struct own *own) { count(&own->calls[n + 1]); }

SWITCHED(0) SWITCHED(1) SWITCHED(2) SWITCHED(3) SWITCHED(4)
SWITCHED(5) SWITCHED(6) SWITCHED(7) SWITCHED(8) SWITCHED(9)

static void *run(void *data)
{
    struct own *own = data;

    while (!has_ended) {
        always(own);
        switched_0(own), switched_1(own), switched_2(own), switched_3(own), switched_4(own);
        switched_5(own), switched_6(own), switched_7(own), switched_8(own), switched_9(own);
    }
    return 0;
}

#ifdef FIXED
static void fix_code(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = { sizeof filter / sizeof *filter, filter };

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        abort();
}
#endif

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 0, file = open("own", O_CREAT | O_RDWR, 0600), i;
    struct own *own;
    pthread_t threads[16];
    sigset_t traps;
    char byte;

#ifdef FIXED
    fix_code();
#endif
    sigemptyset(&traps);
    sigaddset(&traps, SIGTRAP);
    pthread_sigmask(SIG_BLOCK, &traps, 0);
    if (file < 0 || ftruncate(file, 4096) != 0)
        abort();
    own = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    for (i = 0; i < count; i++)
        if (pthread_create(&threads[i], 0, run, &own[i]) != 0)
            abort();
    puts("ready");
    fflush(stdout);
    while (read(0, &byte, 1) > 0)
        ;
    has_ended = 1;
    for (i = 0; i < count; i++)
        pthread_join(threads[i], 0);
    return 0;
}
