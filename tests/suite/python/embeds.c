/* Loads an interpreter, and runs a script in it twice, each time from the beginning. */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void (*begin)(void);
static int (*end)(void), (*run)(const char *);

__attribute__((noinline)) static int run_one(const char *script, const char *seconds) {
    char text[8192];
    snprintf(text, sizeof text,
             "import sys; sys.argv = ['%s', '%s']; exec(compile(open('%s').read(), '%s', 'exec'))", script, seconds,
             script, script);
    begin();
    int failed = run(text);
    return end() | failed;
}

int main(int argc, char **words) {
    void *library = argc == 4 ? dlopen(words[1], RTLD_NOW | RTLD_GLOBAL) : NULL;
    if (!library) {
        fprintf(stderr, "%s\n", argc == 4 ? dlerror() : "a library, a script and seconds are wanted");
        return 1;
    }
    begin = (void (*)(void))dlsym(library, "Py_Initialize");
    end = (int (*)(void))dlsym(library, "Py_FinalizeEx");
    run = (int (*)(const char *))dlsym(library, "PyRun_SimpleString");
    int failed = 0;
    for (int i = 0; i < 2; i++)
        failed |= run_one(words[2], words[3]);
    return failed ? 1 : 0;
}
