/* Allocates and frees blocks of many sizes: allocating ROUNDS. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 4096 };

__attribute__((noinline)) static void *block(unsigned long size) {
    void *memory = malloc(size);
    memset(memory, 1, size < 64 ? size : 64);
    return memory;
}

int main(int argc, char **argv) {
    long rounds = argc > 1 ? atol(argv[1]) : 10000000;
    static void *kept[KEPT];
    unsigned long x = 1, sum = 0;
    for (long i = 0; i < rounds; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        unsigned long place = (x >> 33) % KEPT, size = 1 + (x >> 45) % 1024;
        free(kept[place]);
        kept[place] = block(size);
        sum += size;
    }
    printf("%lu\n", sum);
}
