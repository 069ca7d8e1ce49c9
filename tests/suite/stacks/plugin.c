/* A library of which two are built, with other names for what they define. */

static volatile double sum;

__attribute__((noinline)) void NAME(int times)
{
    for (int i = 0; i < times; i++)
        sum += i * 0.5;
}

void entry(int times)
{
    NAME(times);
    sum += 1;
}
