/* A hundred million calls of one function from one place: what a counted call costs. */
static volatile unsigned x = 1;

__attribute__((noinline, noclone)) static void step(void) { x = x * 1664525u + 1013904223u; }

int main(void) {
    for (unsigned i = 0; i < 100000000u; i++) step();
    return 0;
}
