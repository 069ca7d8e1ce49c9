/* Loads and unloads a library, upon which its mappings are looked at, while another thread maps a file and gives it back
   again and again, at many places. */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>

static volatile int ends;

static void *map(void *path)
{
    enum { PLACES = 64 };
    void *mapped[PLACES];
    int file = open(path, O_RDONLY);
    while (!ends) {
        for (int i = 0; i < PLACES; i++)
            mapped[i] = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0);
        for (int i = 0; i < PLACES; i++)
            munmap(mapped[i], 4096);
    }
    return NULL;
}

int main(int count, char **arguments)
{
    pthread_t thread;
    pthread_create(&thread, NULL, map, arguments[0]);
    for (int i = 0; i < 1500; i++) {
        void *library = dlopen("./first.so", RTLD_NOW);
        if (!library || dlclose(library))
            return 1;
    }
    ends = 1;
    pthread_join(thread, NULL);
    puts("done");
    return count == 0;
}
