/* Loads a library and unloads it, again and again, calling a function of it in between; or loads several, which stay:
 * loads [ROUNDS [lazy]], or loads 0 copies COUNT. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments)
{
    int rounds = count > 1 ? atoi(arguments[1]) : 1;
    int how = count > 2 ? RTLD_LAZY : RTLD_NOW;
    double sum = 0;
    for (int i = 0; i < rounds; i++) {
        void *library = dlopen("./plugin.so", how);
        double (*entry)(int) = library ? (double (*)(int))dlsym(library, "entry") : 0;
        if (!entry) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        sum += entry(7);
        if (dlclose(library))
            return 1;
    }
    int copies = count > 3 ? atoi(arguments[3]) : 0;
    for (int i = 0; i < copies; i++) {
        char name[40];
        snprintf(name, sizeof name, "./plugin-%d.so", i);
        void *library = dlopen(name, RTLD_NOW);
        double (*entry)(int) = library ? (double (*)(int))dlsym(library, "entry") : 0;
        sum += entry ? entry(7) : -1e9;
    }
    puts(sum > 0 ? "done" : "nothing");
    return 0;
}
