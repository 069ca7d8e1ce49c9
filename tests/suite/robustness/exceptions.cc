// Exceptions through profiled frames, in four threads, caught near and far and thrown again; and
// unwinding from a signal handler after every single instruction of the first calls of a thread,
// which must get from inside the hooks to where the thread began.
// Prints how many frames the exceptions have cleaned up, and from how many instructions the
// unwinding began and failed.
#include <csignal>
#include <cstdio>
#include <pthread.h>
#include <stdexcept>
#include <ucontext.h>
#include <unwind.h>
#include "counted.h"

#define NOT_COUNTED __attribute__((no_instrument_function))

namespace {

constexpr int threads = 4;
constexpr int rounds = 500;
constexpr int depth = 20;

unsigned long instructions, failed;
volatile std::sig_atomic_t done;

struct Guard {
    unsigned long &count;
    ~Guard() { ++count; }
};

} // namespace

extern "C" {

COUNTED void work(void)
{
    BARRIER();
}

COUNTED int thrower(int levels, unsigned long &cleaned)
{
    Guard guard{cleaned};

    work();
    if (levels == 0)
        throw std::runtime_error("far");
    int result = thrower(levels - 1, cleaned);
    BARRIER();
    return result;
}

COUNTED void rethrower(unsigned long &cleaned)
{
    try {
        thrower(depth, cleaned);
    } catch (const std::runtime_error &) {
        work();
        throw;
    }
}

COUNTED void *catcher(void *argument)
{
    unsigned long &cleaned = *static_cast<unsigned long *>(argument);

    for (int i = 0; i < rounds; i++) {
        try {
            rethrower(cleaned);
        } catch (const std::exception &) {
            work();
        }
    }
    return nullptr;
}

COUNTED void twice(void)
{
    work();
    work();
    done = 1;
}

// The outermost function of the thread that is looked at.
NOT_COUNTED void *outermost(void *)
{
    // Sets the trap flag: SIGTRAP after each instruction.
    __asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" ::: "memory", "cc");
    twice();
    BARRIER();
    return nullptr;
}

NOT_COUNTED _Unwind_Reason_Code look(_Unwind_Context *context, void *found)
{
    if (_Unwind_GetRegionStart(context) == reinterpret_cast<unsigned long>(&outermost))
        *static_cast<bool *>(found) = true;
    return _URC_NO_REASON;
}

NOT_COUNTED void on_trap(int, siginfo_t *, void *context)
{
    bool found = false;

    _Unwind_Backtrace(look, &found);
    instructions++;
    failed += !found;
    if (done)
        static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_EFL] &= ~0x100l;
}

} // extern "C"

int main()
{
    pthread_t ids[threads];
    unsigned long cleaned[threads] = {}, sum = 0;

    for (int i = 0; i < threads; i++)
        pthread_create(&ids[i], nullptr, catcher, &cleaned[i]);
    for (int i = 0; i < threads; i++) {
        pthread_join(ids[i], nullptr);
        sum += cleaned[i];
    }
    std::printf("cleaned %lu\n", sum);

    struct sigaction action = {};
    action.sa_sigaction = on_trap;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGTRAP, &action, nullptr);
    pthread_create(&ids[0], nullptr, outermost, nullptr);
    pthread_join(ids[0], nullptr);
    std::printf("instructions %lu\nfailed %lu\n", instructions, failed);
    return failed != 0;
}
