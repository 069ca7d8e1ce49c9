/* So many milliseconds of CPU time each: in its own code, in a system call, and touching new pages; of the last two it says
 * what the kernel had of it. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static volatile unsigned sum;

__attribute__((noinline)) static void compute(long long length)
{
    long long end = now() + length;
    while (now() < end)
        for (unsigned i = 0; i < 100000; i++)
            sum += i;
}

__attribute__((noinline)) static void calls(long long length)
{
    static char buffer[1 << 18];
    int zeros = open("/dev/zero", O_RDONLY);
    long long end = now() + length;
    while (now() < end)
        if (read(zeros, buffer, sizeof buffer) < 0)
            exit(1);
    close(zeros);
}

__attribute__((noinline)) static void touch(long long length)
{
    const size_t size = 1 << 20;
    long long end = now() + length;
    while (now() < end) {
        char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            exit(1);
        for (size_t i = 0; i < size; i += 4096)
            memory[i] = 1;
        munmap(memory, size);
    }
}

int main(int argc, char **argv)
{
    long long length = (argc > 1 ? atoi(argv[1]) : 300) * 1000000LL;
    compute(length);
    calls(length);
    touch(length);
    return 0;
}
