// A program that works until its input ends, or for a moment: in threads that are there from the start, in threads that are born
// and end, in a child, and in the kernel. It says "ready" once all threads that stay are there.

#define _GNU_SOURCE

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define KEPT __attribute__((noinline, noclone))

static volatile unsigned long sink;

KEPT void burn(unsigned long rounds)
{
    for (unsigned long i = 0; i < rounds; i++)
        sink += i;
}

KEPT void inner(void) { burn(200000); sink++; }
KEPT void middle(void) { inner(); sink++; }
KEPT void outer(void) { middle(); sink++; }

KEPT void brief_work(void) { burn(50000000); sink++; }
KEPT void child_work(void) { burn(200000); sink++; }
KEPT void young_work(void) { burn(200000); sink++; }
KEPT void first_work(void) { burn(200000); sink++; }
KEPT void second_work(void) { burn(200000); sink++; }

KEPT void ask_kernel(void)
{
    static char page[1 << 20];
    int zero = open("/dev/zero", O_RDONLY);
    for (int i = 0; i < 20; i++)
        if (read(zero, page, sizeof page) < 0)
            abort();
    close(zero);
}

// A gigabyte at a time: hardly ever is it seen outside the kernel.
KEPT void stay_in_kernel(void)
{
    static char page[1 << 20];
    struct iovec parts[1024];
    int zero = open("/dev/zero", O_RDONLY);
    for (int i = 0; i < 1024; i++)
        parts[i] = (struct iovec){page, sizeof page};
    if (readv(zero, parts, 1024) < 0)
        abort();
    close(zero);
}

static int compare(const void *one, const void *other)
{
    return *(const int *)one - *(const int *)other;
}

// The C library's function may have no rules, and large arrays in its frames.
KEPT void sort_numbers(void)
{
    static int numbers[20000];
    for (int i = 0; i < 20000; i++)
        numbers[i] = i * 7919 % 20011;
    qsort(numbers, 20000, sizeof *numbers, compare);
    sink += numbers[7];
}

// A stack that is larger than what is copied of it.
KEPT unsigned long large_frame(void)
{
    volatile char room[200 * 1024];
    memset((char *)room, 1, sizeof room);
    inner();
    return room[sink % sizeof room];
}

// A stack of many frames.
KEPT void deep(int left)
{
    if (left)
        deep(left - 1);
    else
        inner();
    sink++;
}

static void *stays(void *unused)
{
    pthread_setname_np(pthread_self(), "stays");
    for (;;)
        outer();
    return unused;
}

static void *is_brief(void *unused)
{
    brief_work();
    return unused;
}

// A process that works for a moment.
static void grandchild(void)
{
    pid_t child = fork();
    if (!child) {
        for (int i = 0; i < 100; i++)
            young_work();
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

int main(int count, char **words)
{
    const char *what = count > 1 ? words[1] : "work";
    pthread_t thread;
    if (!strcmp(what, "briefly")) {
        for (int i = 0; i < 20; i++)
            young_work();
        return 0;
    }
    if (!strcmp(what, "threads"))
        pthread_create(&thread, NULL, stays, NULL);
    for (int i = 0; i < 20 && !strcmp(what, "many"); i++)
        pthread_create(&thread, NULL, stays, NULL);
    pid_t child = 0;
    if (!strcmp(what, "exec-second"))
        what = "second";
    else {
        if (!strcmp(what, "hidden"))
            prctl(PR_SET_DUMPABLE, 0);
        puts("ready");
        fflush(stdout);
    }
    alarm(120);
    fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
    for (;;) {
        char byte;
        ssize_t got = read(STDIN_FILENO, &byte, 1);
        if (got == 0)
            break;
        if (!strcmp(what, "threads")) {
            pthread_create(&thread, NULL, is_brief, NULL);
            pthread_join(thread, NULL);
        } else if (!strcmp(what, "children")) {
            if (!child)
                child = fork();
            if (!child) {
                prctl(PR_SET_PDEATHSIG, SIGKILL);
                for (;;)
                    child_work();
            }
            grandchild();
        } else if (!strcmp(what, "exec")) {
            first_work();
            if (got == 1) {
                fcntl(STDIN_FILENO, F_SETFL, 0);
                execl("/proc/self/exe", words[0], "exec-second", NULL);
            }
        } else if (!strcmp(what, "second"))
            second_work();
        else if (!strcmp(what, "kernel"))
            ask_kernel();
        else if (!strcmp(what, "kernel-only"))
            stay_in_kernel();
        else if (!strcmp(what, "large"))
            large_frame();
        else if (!strcmp(what, "deep"))
            deep(3000);
        else if (!strcmp(what, "sorting"))
            sort_numbers();
        else if (!strcmp(what, "idle"))
            usleep(10000);
        else
            outer();
    }
    if (child) {
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
    return 0;
}
