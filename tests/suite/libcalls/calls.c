/* Calls functions of libraries a known number of times, in every way that a stub could disturb: with arguments in
 * vector registers and behind a variable list, with results of two registers, through pointers, from a function that
 * is called back, out of a jump, and in a child that shares the memory. */
#define _GNU_SOURCE
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TIMES = 1000, THREADS = 4 };

static jmp_buf place;

static int compare(const void *left, const void *right)
{
    /* Called back by the C library. */
    return strcoll(*(char *const *)left, *(char *const *)right);
}

static void *work(void *nothing)
{
    for (int i = 0; i < TIMES; i++) {
        char *volatile memory = malloc(i + 1);
        free(memory);
    }
    return nothing;
}

__attribute__((noinline)) static int is_same(int (*left)(const char *), int (*right)(const char *))
{
    return left == right;
}

int main(void)
{
    volatile double sum = 0;
    char text[100];
    for (volatile int i = 0; i < TIMES; i++) {
        sum += fmod(i, 7) + hypot(3, 4);
        sprintf(text, "%d %.1f %s %.2Lf", i, i / 2.0, "text", (long double)i);
        if (strtod(text, NULL) != i)
            return 1;
        div_t parts = div(i, 7);
        if (parts.quot * 7 + parts.rem != i)
            return 2;
    }
    for (volatile int i = 0; i < 50; i++)
        if (!setjmp(place))
            longjmp(place, 1);
    char *words[] = {"d", "a", "c", "b", "e"};
    qsort(words, 5, sizeof *words, compare);
    if (*words[0] != 'a' || *words[4] != 'e')
        return 3;
    /* An address that is taken, passed on and compared. */
    int (*volatile pointer)(const char *) = atoi;
    if (!is_same(pointer, atoi) || pointer("12") != 12)
        return 4;
    for (volatile int i = 0; i < 3; i++) {
        pid_t child = vfork();
        if (!child)
            _exit(7);
        int status;
        if (waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 7)
            return 5;
    }
    pthread_t threads[THREADS];
    for (volatile int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (volatile int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    puts("done");
    return sum > 0 ? 0 : 6;
}
