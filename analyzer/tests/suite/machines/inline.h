/* Inlined into the program, so that a function has lines of two files. */
static inline int twice(int n)
{
    return n * 2 + 1;
}
