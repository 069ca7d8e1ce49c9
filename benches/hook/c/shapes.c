/* The four call patterns whose hooks are timed, and the functions that the thread storm shares.
 *
 * Compiled without -pg, with -pg and with -pg -mfentry; all hooked sides of one form link the very
 * same object, so only the hook differs. The callees do next to nothing: what is left is the cost
 * of a call, the worst case for a hook. The loops are not instrumented, so that the calls a run
 * states are exactly the calls a profile must hold. */

#if defined(__has_attribute) && __has_attribute(noipa)
#define CALLEE __attribute__((noinline, noipa))
#else
#define CALLEE __attribute__((noinline))
#endif
#define LOOP CALLEE __attribute__((no_instrument_function))

/* Keeps a callee from being taken for a pure function, whose calls could be merged. */
#define EFFECT __asm__ volatile("")

/* One hot arc: one call site, one callee. */
CALLEE long leaf(long x) { EFFECT; return x + 1; }

LOOP long hot_arc(long calls)
{
    long sum = 0;
    for (long i = 0; i < calls; i++)
        sum += leaf(i);
    return sum;
}

/* One callee, 64 call sites. */
CALLEE long shared(long x) { EFFECT; return x + 3; }

#define TWICE(code) code code
#define SITE sum += shared(i);

LOOP long many_sites(long calls)
{
    long sum = 0;
    for (long i = 0; i < calls; i += 64) {
        TWICE(TWICE(TWICE(TWICE(TWICE(TWICE(SITE))))))
    }
    return sum;
}

/* One call site, 256 callees, each called once per round in a fixed order that is not the order
 * of their addresses. */
#define ROW(F, x) F(x##0) F(x##1) F(x##2) F(x##3) F(x##4) F(x##5) F(x##6) F(x##7) \
                  F(x##8) F(x##9) F(x##a) F(x##b) F(x##c) F(x##d) F(x##e) F(x##f)
#define ALL(F) ROW(F, 0) ROW(F, 1) ROW(F, 2) ROW(F, 3) ROW(F, 4) ROW(F, 5) ROW(F, 6) ROW(F, 7) \
               ROW(F, 8) ROW(F, 9) ROW(F, a) ROW(F, b) ROW(F, c) ROW(F, d) ROW(F, e) ROW(F, f)
#define DEFINE(x) CALLEE long operation_##x(long value) { EFFECT; return value + 0x##x; }
#define NAME(x) operation_##x,

ALL(DEFINE)

static long (*const operations[256])(long) = { ALL(NAME) };

LOOP long indirect(long calls)
{
    long sum = 0;
    for (long i = 0; i < calls; i++)
        sum += operations[i * 97 & 255](i);
    return sum;
}

/* Recursion: fibonacci(15) is 1973 calls, at most 15 deep (within the processor's return stack). */
CALLEE long fibonacci(long n)
{
    EFFECT;
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

LOOP long recursion(long calls)
{
    long sum = 0;
    for (long i = 0; i < calls; i += 1973)
        sum += fibonacci(15);
    return sum;
}
