// A program that makes code at run time, and tells of it as compilers do: by a map as perf reads them, or by a dump. The first
// word says what it does, the second for how many tenths of a second of CPU time; with "-" it works until its input ends.

#define _GNU_SOURCE

#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define KEPT __attribute__((noinline, noclone))

enum { ROOM = 0x4000, LEN = 0x200 };

typedef unsigned long (*Work)(unsigned long);

static volatile unsigned long sink;
static char *code;

// It calls nothing and knows no addresses, so a copy of it works anywhere.
KEPT unsigned long spin(unsigned long rounds)
{
    unsigned long x = rounds;
    while (rounds--) {
        x = x * 3 + 1;
        __asm__ volatile("" : "+r"(x));
    }
    return x;
}

KEPT void call_made(int offset, unsigned long rounds)
{
    sink += ((Work)(code + offset))(rounds);
    sink++;
}

static void make(int offset)
{
    memcpy(code + offset, (const char *)spin, LEN);
    __builtin___clear_cache(code + offset, code + offset + LEN);
}

static uint64_t now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000000000ull + time.tv_nsec;
}

static FILE *map;

static void tell_map(int offset, int len, const char *name)
{
    fprintf(map, "%lx %x %s\n", (unsigned long)(code + offset), len, name);
    fflush(map);
}

static FILE *dump;

static void tell_dump(int offset, const char *name, uint32_t line)
{
    static uint64_t index;
    uint64_t start = (uintptr_t)(code + offset), time = now(CLOCK_MONOTONIC), count = 1, len = LEN;
    uint32_t debug[2] = {2, 16 + 16 + 16 + sizeof "/made.js"};
    uint32_t place[2] = {line, 0};
    fwrite(debug, 4, 2, dump), fwrite(&time, 8, 1, dump);
    fwrite(&start, 8, 1, dump), fwrite(&count, 8, 1, dump);
    fwrite(&start, 8, 1, dump), fwrite(place, 4, 2, dump), fwrite("/made.js", 1, sizeof "/made.js", dump);
    uint32_t load[2] = {0, (uint32_t)(16 + 40 + strlen(name) + 1 + LEN)};
    uint32_t ids[2] = {(uint32_t)getpid(), (uint32_t)getpid()};
    fwrite(load, 4, 2, dump), fwrite(&time, 8, 1, dump);
    fwrite(ids, 4, 2, dump), fwrite(&start, 8, 1, dump), fwrite(&start, 8, 1, dump);
    fwrite(&len, 8, 1, dump), fwrite(&index, 8, 1, dump);
    fwrite(name, 1, strlen(name) + 1, dump), fwrite(code + offset, 1, LEN, dump);
    fflush(dump);
    index++;
}

static void begin_dump(void)
{
    char path[64];
    snprintf(path, sizeof path, "jit-%d.dump", (int)getpid());
    dump = fopen(path, "w");
    uint32_t head[6] = {0x4a695444, 1, 40, 0, 0, (uint32_t)getpid()};
    uint64_t rest[2] = {now(CLOCK_MONOTONIC), 0};
    fwrite(head, 4, 6, dump), fwrite(rest, 8, 2, dump);
}

static double tenths;
static int is_open;

// Works until its time, from the last such moment on, is over.
static int goes_on(uint64_t start)
{
    struct pollfd input = {.fd = 0, .events = POLLIN};
    if (is_open)
        return poll(&input, 1, 0) == 0;
    return now(CLOCK_PROCESS_CPUTIME_ID) - start < tenths * 1e8;
}

KEPT void work(const char *what)
{
    uint64_t start = now(CLOCK_PROCESS_CPUTIME_ID);
    for (int turn = 0; goes_on(start); turn++) {
        call_made(0, 100000);
        call_made(0, 100000);
        call_made(0, 100000);
        if (strcmp(what, "twice"))
            call_made(0x1000, 100000);
    }
}

int main(int count, char **words)
{
    const char *what = count > 1 ? words[1] : "map";
    is_open = count > 2 && !strcmp(words[2], "-");
    tenths = count > 2 && !is_open ? atof(words[2]) : 5;
    char path[64];
    snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
    code = mmap(0, ROOM, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code == MAP_FAILED)
        return 1;
    make(0);
    make(0x1000);
    if (strcmp(what, "none"))
        printf("%s\n", path);
    fflush(stdout);
    int has_dump = !strcmp(what, "dump") || !strcmp(what, "dumped-twice");
    int is_twice = !strcmp(what, "twice") || !strcmp(what, "dumped-twice");
    if (has_dump)
        begin_dump();
    else if (strcmp(what, "none"))
        map = fopen(path, "w");
    if (map)
        fchmod(fileno(map), !strcmp(what, "open") ? 0666 : 0644);
    if (is_twice) {
        is_open = 0;
        has_dump ? tell_dump(0, "early_made", 7) : tell_map(0, LEN, "early_made");
        work("twice");
        has_dump ? tell_dump(0, "late_made", 9) : tell_map(0, LEN, "late_made");
        work("twice");
    } else if (has_dump) {
        tell_dump(0, "hot_made", 7);
        tell_dump(0x1000, "warm_made", 9);
    } else if (map) {
        tell_map(0, ROOM, "stale_made");
        tell_map(0x2000, LEN, "never_made");
        tell_map(0, LEN, "JS:~hot_made /made.js:7:1");
        tell_map(0x1000, LEN, "warm_made");
        fputs("no line\n1 2\n", map);
        // Somebody is about to write more.
        fprintf(map, "%lx %x half_mad", (unsigned long)code, LEN);
        fflush(map);
    }
    if (is_open)
        puts("ready"), fflush(stdout);
    if (!is_twice)
        work(what);
    return 0;
}
