/* Spends three quarters of its time in `often` and one in `seldom`, for some seconds on an emulator: both
 * take the same steps. No loop lies in two pages, for which emulators take several times as long. */

static volatile unsigned state = 1;

#define STEPS(count) \
    for (unsigned long i = 0; i < (count); i++) \
        state = state * 1664525u + 1013904223u

__attribute__((noinline, noclone, aligned(1024))) static void often(unsigned long count)
{
    STEPS(3 * count);
}

__attribute__((noinline, noclone, aligned(1024))) static void seldom(unsigned long count)
{
    STEPS(count);
}

int main(void)
{
    for (int round = 0; round < 600; round++) {
        often(300000);
        seldom(300000);
    }
    return state == 0;
}
