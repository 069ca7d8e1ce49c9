/* What a program measures of its own calls, for tests/upstream/times.rs to compare with what gmon says of them. A call has a
   record in a file that all threads and processes of the program share:

       outer   from before the call until behind it: no less than the call took
       inner   from the function's first statement to its last: no more than that

   Whatever interrupts a call, its time lies between these. A call that nobody came back from keeps an outer time of -1, and one
   that an exception left has the negative of what it took. */
#ifndef OWN_H
#define OWN_H

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define TIMED extern "C" __attribute__((noipa))

struct Own {
    char function[24];
    int64_t begun, inner, outer;
};

enum { OWN_MOST = 20000 };

struct OwnFile {
    std::atomic<uint64_t> used;
    Own calls[OWN_MOST];
};

inline OwnFile *own_file;

static inline int64_t now()
{
    timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static inline void own_begin(const char *path)
{
    int file = open(path, O_CREAT | O_RDWR | O_TRUNC, 0600);

    if (file < 0 || ftruncate(file, sizeof *own_file) != 0)
        std::abort();
    own_file = static_cast<OwnFile *>(mmap(nullptr, sizeof *own_file, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    close(file);
}

static inline Own *own_call(const char *function)
{
    uint64_t place = own_file->used++;

    if (place >= OWN_MOST)
        std::abort();
    Own *own = &own_file->calls[place];
    std::strcpy(own->function, function);
    own->outer = -1;
    own->begun = now();
    return own;
}

/* Calls a function, and measures that. What differs from call to call stays out of registers, by which gmon tells calls apart. */
#define MEASURED(function, ...) \
    ({ \
        Own *volatile own_ = own_call(#function); \
        auto result_ = function(own_ __VA_OPT__(,) __VA_ARGS__); \
        own_->outer = now() - own_->begun; \
        result_; \
    })

/* The same of a call that an exception may leave, which is thrown on. */
#define MEASURED_OR_THROWN(function, ...) \
    ({ \
        Own *volatile thrown_ = own_call(#function); \
        int result_; \
        try { \
            result_ = function(thrown_ __VA_OPT__(,) __VA_ARGS__); \
        } catch (...) { \
            thrown_->outer = -(now() - thrown_->begun); \
            throw; \
        } \
        thrown_->outer = now() - thrown_->begun; \
        result_; \
    })

/* The first and the last statement of a function that is measured. */
#define ENTERED(own) \
    Own *volatile entered_own_ = own; \
    const volatile int64_t entered_ = now()
#define LEAVES (entered_own_->inner = now() - entered_)

static inline void spin(int64_t ns)
{
    for (int64_t end = now() + ns; now() < end;)
        ;
}

#endif
