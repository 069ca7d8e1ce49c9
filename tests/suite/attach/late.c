// A program that loads a library while it is looked at, and works in it until its input ends; and, with -DLIBRARY, that library.

#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

#define KEPT __attribute__((noinline, noclone))

#ifdef LIBRARY

static volatile unsigned long sink;

KEPT void late_work(void)
{
    for (unsigned long i = 0; i < 200000; i++)
        sink += i;
}

void late(void) { late_work(); sink++; }

#else

int main(int count, char **words)
{
    char byte;
    puts("ready");
    fflush(stdout);
    alarm(120);
    // The first byte says that somebody looks.
    if (count < 2 || read(STDIN_FILENO, &byte, 1) != 1)
        return 1;
    void *library = dlopen(words[1], RTLD_NOW);
    void (*late)(void) = library ? (void (*)(void))dlsym(library, "late") : NULL;
    if (!late)
        return 1;
    for (int round = 0; round < 2000; round++)
        late();
    return 0;
}

#endif
