/* Closes a library that stays in use, and one that does not, again and again. Tells how many bytes were read for each close of the
   first, and how many mappings those of the second have left. */
#include <dlfcn.h>
#include <stdio.h>

enum { TIMES = 2000 };

static long bytes_read(void)
{
    FILE *file = fopen("/proc/self/io", "r");
    long bytes = 0;
    if (file == NULL || fscanf(file, "rchar: %ld", &bytes) != 1)
        return 0;
    fclose(file);
    return bytes;
}

static int mappings(void)
{
    FILE *file = fopen("/proc/self/maps", "r");
    int count = 0, byte;
    while ((byte = getc(file)) != EOF)
        count += byte == '\n';
    fclose(file);
    return count;
}

int main(void)
{
    void *first = dlopen("./first.so", RTLD_NOW);
    long before = bytes_read();
    for (int i = 0; i < TIMES; i++)
        dlclose(dlopen("./first.so", RTLD_NOW));
    printf("bytes %ld\n", (bytes_read() - before) / TIMES);
    int some = mappings();
    for (int i = 0; i < TIMES; i++)
        dlclose(dlopen("./second.so", RTLD_NOW));
    printf("mappings %d\n", mappings() - some);
    return first == NULL;
}
