// MPI: rank r does r + 1 units of the same work, and all wait for the slowest.
#include <mpi.h>
#include <time.h>

static volatile double sum;

static double cpu_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

#ifndef UNIT
#define UNIT 0.1
#endif

// A tenth of a second of CPU time, or what -DUNIT says.
__attribute__((noinline)) void unit(void)
{
    double end = cpu_time() + UNIT;
    while (cpu_time() < end)
        for (int i = 0; i < 200000; i++)
            sum += i * 0.5;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i <= rank; i++)
        unit();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
