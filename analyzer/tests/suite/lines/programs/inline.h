/* Functions to be inlined. */ static inline int sum(int x)
{
    int s = 0;
    for (int i = 0; i < x; i++) s += x;
    return s;
}
static inline __attribute__((always_inline)) int twice(int x) { return sum(x) + sum(x + 1); }
#define TWO(a) do { a; a; } while (0)
