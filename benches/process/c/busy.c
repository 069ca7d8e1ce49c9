/* Some CPU time in one loop, for what samples cost: about 0.4 s, the same work each time. */
int main(void) {
    volatile unsigned x = 1;
    for (unsigned i = 0; i < 250000000u; i++) x = x * 1664525u + 1013904223u;
    return 0;
}
