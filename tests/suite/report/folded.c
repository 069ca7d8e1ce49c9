/* Inlined code that calls: its function calls, for those who do not look at inlined code apart. */

__attribute__((noinline)) int leaf(int rounds) {
    volatile int sum = 0;
    for (int i = 0; i < rounds; i++)
        sum += i;
    return sum;
}

static inline __attribute__((always_inline)) int middle(int rounds) {
    return leaf(rounds) + 1;
}

__attribute__((noinline)) int outer(int rounds) {
    return middle(rounds) * 2;
}

__attribute__((noinline)) int other(int rounds) {
    return leaf(rounds) * 2;
}

int main(void) {
    int sum = 0;
    for (int i = 0; i < 2000; i++)
        sum += outer(50000) + other(10000);
    return sum == 1;
}
