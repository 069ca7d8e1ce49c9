/* Compresses a file with zstd and checks that it comes back. Arguments: the file, and how often. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

int main(int count, char **words)
{
    FILE *file = count > 2 ? fopen(words[1], "rb") : NULL;
    if (!file || fseek(file, 0, SEEK_END) != 0)
        return 1;
    size_t size = ftell(file), room = ZSTD_compressBound(size), packed = 0;
    char *text = malloc(size), *small = malloc(room), *again = malloc(size);
    rewind(file);
    if (!text || !small || !again || fread(text, 1, size, file) != size)
        return 1;
    for (int turn = atoi(words[2]); turn > 0; turn--) {
        packed = ZSTD_compress(small, room, text, size, 3);
        if (ZSTD_decompress(again, size, small, packed) != size || memcmp(text, again, size) != 0)
            return 1;
    }
    printf("%zu %zu\n", size, packed);
    return 0;
}
