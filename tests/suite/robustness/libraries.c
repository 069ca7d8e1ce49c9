/* Loads and unloads libraries with hooks of their own, whose names are its arguments, over and over,
   and calls one that it is linked with if there is one. */
#include <dlfcn.h>
#include <stddef.h>
#include "counted.h"

#define ROUNDS 25

__attribute__((weak)) void call_back(void (*function)(void), int times);

COUNTED void work(void)
{
    BARRIER();
}

int main(int argc, char **argv)
{
    void *(*volatile open)(const char *, int) = dlopen;
    int round, i;

    for (round = 0; round < ROUNDS; round++)
        for (i = 1; i < argc; i++) {
            void *library = open(argv[i], RTLD_NOW | RTLD_LOCAL);
            void (*call)(void (*)(void), int);

            if (library == NULL)
                return 1;
            *(void **)&call = dlsym(library, "call_back");
            call(work, 10);
            work();
            dlclose(library);
        }
    if (call_back)
        call_back(work, 7);
    return 0;
}
