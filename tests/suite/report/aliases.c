/* One function with five names, as C libraries have them; its callers use the one that nobody else can see. */
double internal(double) __asm__("__GI___libc_work");

__attribute__((noinline)) double __libc_work(double x)
{
    volatile double sum = 0;
    for (int i = 0; i < 3000000; i++)
        sum += x * i;
    return sum;
}

extern __typeof(__libc_work) hidden
    __asm__("__GI___libc_work") __attribute__((alias("__libc_work"), visibility("hidden")));
extern __typeof(__libc_work) workf64 __attribute__((weak, alias("__libc_work")));
extern __typeof(__libc_work) workf32x __attribute__((weak, alias("__libc_work")));
extern __typeof(__libc_work) work __attribute__((weak, alias("__libc_work")));
extern __typeof(__libc_work) __work __attribute__((weak, alias("__libc_work")));

int main(void)
{
    double sum = 0;
    for (int i = 0; i < 10; i++)
        sum += internal(i);
    return sum < 0;
}
