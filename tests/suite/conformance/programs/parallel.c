/* OpenMP: loops, a reduction, a region with tasks, two regions in one function. With two threads the
   same in every run. */
#include <stdio.h>

#ifdef __clang__
#define OWN __attribute__((noinline))
#else
#define OWN __attribute__((noipa))
#endif

static double values[10000];

OWN static int leaf(int i)
{
    return i % 3;
}

OWN static double sum(int n)
{
    double sum = 0;
#pragma omp parallel for schedule(static) num_threads(2) reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += values[i] + leaf(i);
#pragma omp parallel for schedule(static) num_threads(2)
    for (int i = 0; i < n; i++)
        values[i] += leaf(i + 1);
    return sum;
}

OWN static void tasks(int n)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < n; i++) {
#pragma omp task firstprivate(i)
        values[i] = leaf(i);
    }
}

int main(void)
{
    double all = 0;

    for (int i = 0; i < 5; i++)
        all += sum(10000);
    tasks(100);
    printf("%.0f\n", all);
    return 0;
}
