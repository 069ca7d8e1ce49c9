/* Counts the words of a file: an example of a program whose changes go through a gate. `make gate` compares it
   with the one in the folder BASE. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static char line[4096];

/* The end of a word. */
char *skip_word(char *at)
{
    while (*at && !isspace((unsigned char)*at))
        at++;
    return at;
}

/* The start of the next word. */
char *skip_space(char *at)
{
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

long count_words(char *at)
{
    long words = 0;

    for (at = skip_space(at); *at; at = skip_space(at)) {
        at = skip_word(at);
        words++;
    }
    return words;
}

int main(int argc, char **argv)
{
    FILE *file = argc > 1 ? fopen(argv[1], "r") : stdin;
    long words = 0;

    if (!file) {
        perror(argv[1]);
        return 1;
    }
    while (fgets(line, sizeof line, file))
        words += count_words(line);
    printf("%ld words\n", words);
    return 0;
}
