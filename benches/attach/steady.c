/* Does one piece of work again and again until it is killed. A file has the pieces: how many there are, and for each one when it
   ended and the CPU time that it took, in nanoseconds. */
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { PIECES = 1 << 20 };

struct pieces {
    uint64_t count;
    struct {
        uint64_t ended, cpu;
    } all[PIECES];
};

/* A few milliseconds of work, the same each time. */
void work(void);

static uint64_t now(clockid_t clock)
{
    struct timespec time;

    clock_gettime(clock, &time);
    return time.tv_sec * 1000000000ull + time.tv_nsec;
}

int main(int argc, char **argv)
{
    int file = argc > 1 ? open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600) : -1;
    struct pieces *pieces;

    if (file < 0 || ftruncate(file, sizeof *pieces))
        return 1;
    pieces = mmap(0, sizeof *pieces, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (pieces == MAP_FAILED)
        return 1;
    for (uint64_t i = 0; i < PIECES; i++) {
        uint64_t begun = now(CLOCK_PROCESS_CPUTIME_ID);

        work();
        pieces->all[i].cpu = now(CLOCK_PROCESS_CPUTIME_ID) - begun;
        pieces->all[i].ended = now(CLOCK_MONOTONIC);
        __atomic_store_n(&pieces->count, i + 1, __ATOMIC_RELEASE);
    }
    return 0;
}
