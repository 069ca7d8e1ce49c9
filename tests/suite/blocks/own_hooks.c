/* A program that defines the hooks of basic blocks itself, and one of the old contract. Prints how often
   each was called. */
#include <stdint.h>
#include <stdio.h>
#include "counted.h"

/* Compiled without hooks, or they would call themselves. */
#ifdef HOOKS
unsigned long pcs, guards, inits, tables, units;

void __sanitizer_cov_trace_pc(void)
{
    pcs++;
}

void __sanitizer_cov_trace_pc_guard(uint32_t *guard)
{
    (void)guard;
    guards++;
}

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop)
{
    inits += start != stop;
}

void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *stop)
{
    tables += start != stop;
}

void __bb_init_func(void *unit)
{
    (void)unit;
    units++;
}
#else
extern unsigned long pcs, guards, inits, tables, units;
void __bb_init_func(void *unit);

COUNTED void work(void)
{
    BARRIER();
}

int main(void)
{
    int i;

    for (i = 0; i < 42; i++)
        work();
    __bb_init_func(0);
    printf("blocks %d\ntables %lu\nunits %lu\n", pcs + guards >= 42, tables, units);
    return 0;
}
#endif
