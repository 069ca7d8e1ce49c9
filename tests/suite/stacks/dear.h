/* `work` is called as often by `cheap` as by `dear`, for which it takes all the time: ROUNDS at each call. */

#define NOINLINE __attribute__((noinline, noclone))

static volatile double sum;

NOINLINE void work(int times)
{
    for (int i = 0; i < times; i++)
        sum += i * 0.5;
}

NOINLINE void cheap(void)
{
    for (int i = 0; i < 1000; i++)
        work(1);
    sum += 1;
}

NOINLINE void dear(void)
{
    for (int i = 0; i < 1000; i++)
        work(ROUNDS);
    sum += 1;
}
