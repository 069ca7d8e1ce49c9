/* Counts calls by the loader's own interface for auditors. */
#define _GNU_SOURCE
#include <link.h>

static unsigned long calls;

unsigned la_version(unsigned version)
{
    return version;
}

unsigned la_objopen(struct link_map *map, Lmid_t space, uintptr_t *cookie)
{
    return LA_FLG_BINDTO | LA_FLG_BINDFROM;
}

Elf64_Addr la_x86_64_gnu_pltenter(Elf64_Sym *symbol, unsigned index, uintptr_t *caller, uintptr_t *callee,
                                  La_x86_64_regs *registers, unsigned *flags, const char *name, long *size)
{
    calls++;
    return symbol->st_value;
}
