/* Says whether addresses are those that this library knows. */
#include <stdlib.h>
#include <string.h>

int is_malloc(void *(*function)(size_t))
{
    return function == malloc;
}

int is_free(void (*function)(void *))
{
    return function == free;
}

int is_strlen(size_t (*function)(const char *))
{
    return function == strlen;
}
