/* Touches 5,000 pages, in one function. */
#include <stddef.h>
#include <sys/mman.h>

#include "counted.h"

#define PAGES 5000

COUNTED static void touch(volatile char *memory, long page) {
    for (long i = 0; i < PAGES; i++) memory[i * page] = 1;
}

int main(void) {
    const long page = 65536; /* no machine has larger ones */
    char *memory = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return 1;
    madvise(memory, PAGES * page, MADV_NOHUGEPAGE);
    touch(memory, page);
}
