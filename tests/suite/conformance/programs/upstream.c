/* Calls f1 2000 times, f2 1000 times and f3 once: what later versions of GNU gprof test. */
volatile int sink;

__attribute__((noinline)) void f1(void)
{
    sink++;
}

__attribute__((noinline)) void f2(void)
{
    f1();
}

__attribute__((noinline)) void f3(void)
{
    int i;

    for (i = 0; i < 1000; i++) {
        f1();
        f2();
    }
}

int main(void)
{
    f3();
    return 0;
}
