/* Loads a plugin that forks, one after the other, 20 children, which work in it, while another thread loads and unloads a library
   again and again. Prints "done". */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int is_over, sum;

#ifdef PLUGIN
int children(int count)
{
    int failures = 0;

    for (int child = 0; child < count; child++) {
        int status;

        if (fork() == 0) {
            for (int i = 0; i < 100000000; i++)
                sum += i;
            _exit(0);
        }
        failures += wait(&status) < 0 || status != 0;
    }
    return failures;
}
#else
static void *unload(void *library)
{
    while (!is_over)
        dlclose(dlopen(library, RTLD_NOW));
    return 0;
}

int main(void)
{
    pthread_t thread;
    void *plugin = dlopen("./plugin.so", RTLD_NOW);
    int (*children)(int) = (int (*)(int))dlsym(plugin, "children");

    pthread_create(&thread, 0, unload, "./first.so");
    if (children(20) == 0)
        puts("done");
    is_over = 1;
    pthread_join(thread, 0);
    return 0;
}
#endif
