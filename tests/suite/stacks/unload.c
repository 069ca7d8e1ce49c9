/* Loads two libraries in turn, again and again, which without a profile have the same addresses; another
 * thread keeps samples coming. */

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static volatile int ends;
static volatile double sum;

static void *spin(void *nothing)
{
    while (!ends)
        sum += 1;
    return nothing;
}

int main(int count, char **arguments)
{
    int rounds = count > 1 ? atoi(arguments[1]) : 100;
    int times = count > 2 ? atoi(arguments[2]) : 1000;
    pthread_t thread;
    pthread_create(&thread, NULL, spin, NULL);
    for (int i = 0; i < rounds; i++) {
        void *library = dlopen(i % 2 ? "./second.so" : "./first.so", RTLD_NOW);
        void (*entry)(int) = library ? (void (*)(int))dlsym(library, "entry") : 0;
        if (!entry) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        entry(times);
        if (dlclose(library))
            return 1;
    }
    ends = 1;
    pthread_join(thread, NULL);
    puts("done");
    return 0;
}
