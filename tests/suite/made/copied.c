/* Maps the pages of one of its functions once more, elsewhere, as V8 does with its builtins, and works three times as
 * long in the copy as in the function itself. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#define KEPT __attribute__((noinline, noclone))

typedef unsigned long (*Work)(unsigned long);

static volatile unsigned long sink;

/* It calls nothing and knows no addresses, so a copy of it works anywhere. The copied pages are not those in which the program begins. */
KEPT __attribute__((aligned(16384))) unsigned long spin(unsigned long rounds)
{
    unsigned long x = rounds;

    while (rounds--)
        x = x * 3 + 1;
    return x;
}

KEPT void in_copy(Work work)
{
    for (int i = 0; i < 300; i++)
        sink += work(1000000);
}

KEPT void in_place(Work work)
{
    for (int i = 0; i < 100; i++)
        sink += work(1000000);
}

/* Where in its file the function lies. Programs come first. */
static int find(struct dl_phdr_info *info, size_t size, void *offset)
{
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t inside = (uintptr_t)spin - info->dlpi_addr - segment->p_vaddr;

        if (segment->p_type == PT_LOAD && inside < segment->p_filesz)
            *(uintptr_t *)offset = segment->p_offset + inside;
    }
    return 1;
}

/* With a word it works until its input ends. */
int main(int count, char **words)
{
    const int rights = PROT_READ | PROT_EXEC;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uintptr_t offset = 0, in_page;
    int file = open("/proc/self/exe", O_RDONLY);
    struct pollfd input = {0, POLLIN, 0};
    char *copy;

    (void)words;
    dl_iterate_phdr(find, &offset);
    in_page = offset % page;
    /* Behind the copy there is other code, which no file has. */
    copy = mmap(0, 4 * page, rights, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    copy = mmap(copy, 2 * page, rights, MAP_PRIVATE | MAP_FIXED, file, (off_t)(offset - in_page));
    if (copy == MAP_FAILED)
        return 1;
    if (count > 1 && write(1, "x", 1) != 1)
        return 1;
    do {
        in_place(spin);
        in_copy((Work)(uintptr_t)(copy + in_page));
    } while (count > 1 && poll(&input, 1, 0) == 0);
    return 0;
}
