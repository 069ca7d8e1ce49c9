/* Calls functions whose addresses it takes, too: in every way in which an optimiser turns the one into the other. Built
 * with -fno-plt, calls and addresses come by the same words. The library `same.c` says what the addresses are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *(*allocator)(size_t);
typedef void (*liberator)(void *);
typedef size_t (*measure)(const char *);

int is_malloc(allocator function);
int is_free(liberator function);
int is_strlen(measure function);

struct methods {
    allocator take;
    liberator give;
};

__attribute__((noinline)) static void with(struct methods *methods, int flag)
{
    /* Stored, but for a flag that nobody sets. */
    methods->give = flag ? (liberator)abort : free;
}

/* The address is in a register of the whole loop. */
__attribute__((noinline)) static void loop(char **pieces, int count)
{
    for (int i = 0; i < count; i++)
        pieces[i] = malloc(i + 1);
    for (int i = 0; i < count; i++)
        free(pieces[i]);
}

/* A call in a function's place, and one before it. */
__attribute__((noinline)) static void release(void *first, void *second)
{
    free(first);
    free(second);
}

/* Called, or handed over, from the same register. */
__attribute__((noinline)) static int either(char *memory, int hands_over)
{
    if (hands_over)
        return is_free(free);
    free(memory);
    return 1;
}

__attribute__((noinline)) static size_t choose(const char *text, int which)
{
    switch (which) {
    case 0: return strlen(text);
    case 1: return strlen(text) + strlen(text + 1);
    case 2: return strlen(text + 2) * 2;
    case 3: return is_strlen(strlen);
    case 4: return strlen(text + 3) + 9;
    default: return 0;
    }
}

int main(void)
{
    static char *pieces[100];
    for (volatile int i = 0; i < 10; i++)
        loop(pieces, 100);
    release(malloc(1), malloc(2));
    static struct methods methods;
    methods.take = malloc;
    with(&methods, 0);
    if (methods.take != malloc || methods.give != (liberator)free)
        return 1;
    if (!is_malloc(methods.take) || !is_free(methods.give) || !is_malloc(malloc))
        return 2;
    if (!either(malloc(3), 0) || !either(NULL, 1))
        return 3;
    static volatile int kinds[] = {0, 1, 2, 3, 4, 5};
    size_t sum = 0;
    for (int i = 0; i < 60; i++)
        sum += choose("text", kinds[i % 6]);
    if (sum != 10 * (4 + 7 + 4 + 1 + 10))
        return 4;
    puts("done");
    return 0;
}
