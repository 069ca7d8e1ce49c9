/* Programs of tests/upstream/times, chosen by the first argument: calls that begin and end in all the ways in which calls do. The
   second is what the random numbers begin with, the third the file for what the program measures. Prints "done". */
#include "own.h"

#include <boost/context/fiber.hpp>
#include <boost/context/fixedsize_stack.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <condition_variable>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <vector>

static thread_local unsigned state = 1;
static unsigned below(unsigned limit)
{
    state = state * 1103515245u + 12345u;
    return (state >> 8) % limit;
}
/* Works for some time, which is that of few calls. */
static void work() { spin(below(16) == 0 ? below(100000) : below(3000)); }

TIMED int leaf(Own *own)
{
    ENTERED(own);
    work();
    LEAVES;
    return 1;
}

/* Exceptions through five frames. */
TIMED int five(Own *own, int n)
{
    ENTERED(own);
    work();
    if (n % 2)
        throw n;
    LEAVES;
    return n;
}
#define FRAME(name, next) \
    TIMED int name(Own *own, int n) \
    { \
        ENTERED(own); \
        work(); \
        int result = MEASURED_OR_THROWN(next, n) + MEASURED(leaf); \
        LEAVES; \
        return result; \
    }
FRAME(four, five)
FRAME(three, four)
FRAME(two, three)
FRAME(one, two)

static void exceptions()
{
    for (volatile int n = 0; n < 100; n = n + 1) {
        try {
            MEASURED_OR_THROWN(one, n);
        } catch (int) {
        }
        MEASURED(leaf);
    }
}

/* `longjmp` over frames, and from a handler. */
static sigjmp_buf place;
#define JUMPS(name) \
    TIMED int name(Own *own, int n) \
    { \
        ENTERED(own); \
        work(); \
        if (n % 2) \
            siglongjmp(place, 1); \
        LEAVES; \
        return n; \
    }
JUMPS(jumps)
JUMPS(handles)
TIMED int jumps_from(Own *own, int n)
{
    ENTERED(own);
    int result = MEASURED(jumps, n) + MEASURED(leaf);
    LEAVES;
    return result;
}
static void longjmps()
{
    for (volatile int n = 0; n < 300; n = n + 1) {
        if (sigsetjmp(place, 1) == 0)
            MEASURED(jumps_from, n);
        MEASURED(leaf);
    }
}

static void handler(int) { MEASURED(handles, below(2)); }
TIMED int raises(Own *own)
{
    ENTERED(own);
    raise(SIGUSR1);
    LEAVES;
    return 1;
}
static void on_signal(int signal, void (*handler)(int), int flags)
{
    struct sigaction action = {};

    action.sa_handler = handler;
    action.sa_flags = flags;
    sigaction(signal, &action, nullptr);
}
static void handlers()
{
    static char other[64 << 10];
    stack_t stack = {};

    stack.ss_sp = other;
    stack.ss_size = sizeof other;
    sigaltstack(&stack, nullptr);
    for (int flags : { 0, SA_ONSTACK }) {
        on_signal(SIGUSR1, handler, flags);
        for (volatile int n = 0; n < 200; n = n + 1) {
            if (sigsetjmp(place, 1) == 0)
                MEASURED(raises);
            MEASURED(leaf);
        }
    }
}

/* A timer's handler leaves whatever was running, hooks too; the program measures nothing meanwhile. */
static volatile sig_atomic_t may_leave;
TIMED int quick(int n) { return n + 1; }
TIMED int quicker(int n) { return n % 3 ? quick(n) + 1 : n; }
static void alarmed(int)
{
    if (may_leave)
        siglongjmp(place, 1);
}
static void alarms()
{
    itimerval every = {};

    on_signal(SIGALRM, alarmed, 0);
    every.it_interval.tv_usec = every.it_value.tv_usec = 150;
    setitimer(ITIMER_REAL, &every, nullptr);
    for (volatile int n = 0; n < 100; n = n + 1) {
        if (sigsetjmp(place, 1) == 0) {
            may_leave = 1;
            for (;;)
                quicker(quick(1));
        }
        may_leave = 0;
        MEASURED(leaf);
    }
    every = {};
    setitimer(ITIMER_REAL, &every, nullptr);
}

/* Threads that are cancelled in a call: where they wait, and anywhere. */
TIMED int waits(Own *own, bool for_ever)
{
    ENTERED(own);
    if (for_ever)
        for (;;)
            pause();
    LEAVES;
    return 1;
}
TIMED int works(Own *own)
{
    ENTERED(own);
    MEASURED_OR_THROWN(waits, false);
    MEASURED_OR_THROWN(waits, true);
    LEAVES;
    return 1;
}
TIMED int works_on(const volatile bool *is_enough)
{
    int n = 0;

    while (!*is_enough)
        n = quick(n);
    return n;
}
static void *deferred(void *)
{
    MEASURED(leaf);
    MEASURED_OR_THROWN(works);
    return nullptr;
}
static void *anywhere(void *)
{
    static const volatile bool never = false;

    MEASURED(leaf);
#ifdef DORMANT
    /* With -finstrument-functions some instructions are in no table of their function: the C++ library ends a program that is
       cancelled there, with gmon or without. */
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, nullptr);
    works_on(&never);
#endif
    return nullptr;
}
static void cancelled()
{
    for (int n = 0; n < 20; n++) {
        pthread_t thread;

        if (pthread_create(&thread, nullptr, n % 2 ? deferred : anywhere, nullptr) != 0)
            std::abort();
        MEASURED(leaf);
        spin(below(200000));
        pthread_cancel(thread);
        pthread_join(thread, nullptr);
    }
}

TIMED int forks(Own *own)
{
    ENTERED(own);
    work();
    pid_t child = fork();
    if (child == 0)
        return 0;
    MEASURED(leaf);
    waitpid(child, nullptr, 0);
    LEAVES;
    return 1;
}
static void forked()
{
    for (int n = 0; n < 4; n++) {
        Own *own = own_call("forks");
        int is_parent = forks(own);

        /* The child has returned from a call that the parent has begun. */
        if (is_parent)
            own->outer = now() - own->begun;
        for (int i = 0; i < 5; i++)
            MEASURED(leaf);
        if (!is_parent)
            n % 2 ? _exit(0) : std::exit(0);
    }
}

TIMED int vforks(Own *own)
{
    ENTERED(own);
    work();
    pid_t child = vfork();
    if (child == 0) {
        MEASURED(leaf);
        _exit(0);
    }
    waitpid(child, nullptr, 0);
    LEAVES;
    return 1;
}
static void vforked()
{
    for (int n = 0; n < 10; n++) {
        MEASURED(vforks);
        MEASURED(leaf);
    }
}

/* Coroutines of Boost.Context, which stop in calls at depths of their own and are resumed in any order; some throw, and some are
   destroyed while they wait. */
namespace ctx = boost::context;
struct Fiber {
    ctx::fiber self, caller;
    int depth;
};
static void stop(Fiber *fiber) { fiber->caller = std::move(fiber->caller).resume(); }
static void resume(Fiber *fiber) { fiber->self = std::move(fiber->self).resume(); }
TIMED int stops(Own *own, Fiber *fiber)
{
    ENTERED(own);
    stop(fiber);
    if (below(16) == 0)
        throw 1;
    LEAVES;
    return 1;
}
TIMED int deeper(Own *own, Fiber *fiber, int depth)
{
    ENTERED(own);
    volatile char frame[300] = {};
    int result = depth > 0 ? MEASURED_OR_THROWN(deeper, fiber, depth - 1) : MEASURED_OR_THROWN(stops, fiber);
    result += frame[depth];
    LEAVES;
    return result;
}
TIMED int resumes(Own *own, Fiber *fiber)
{
    ENTERED(own);
    resume(fiber);
    LEAVES;
    return 1;
}
static ctx::fiber runs(Fiber *fiber, ctx::fiber &&caller)
{
    fiber->caller = std::move(caller);
    for (;;)
        try {
            MEASURED_OR_THROWN(deeper, fiber, fiber->depth);
        } catch (int) {
            MEASURED(leaf);
        }
    return std::move(fiber->caller);
}
template <class Allocator> static std::unique_ptr<Fiber> new_fiber(int depth)
{
    auto fiber = std::make_unique<Fiber>();
    auto self = fiber.get();

    fiber->depth = depth;
    fiber->self = ctx::fiber(std::allocator_arg, Allocator(64 << 10),
                             [self](ctx::fiber &&caller) { return runs(self, std::move(caller)); });
    return fiber;
}
template <class Allocator> static void fibers()
{
    std::vector<std::unique_ptr<Fiber>> all;

    for (int n = 0; n < 24; n++)
        all.push_back(new_fiber<Allocator>(n % 6));
    for (int n = 0; n < 300; n++) {
        auto &fiber = all[below(all.size())];
        if (below(16) == 0)
            fiber = new_fiber<Allocator>(below(6));
        MEASURED(resumes, fiber.get());
        work();
    }
}

/* Coroutines that other threads resume than have begun a call: two threads have the same coroutines by turns. */
static void migrating()
{
    enum { FIBERS = 6, TURNS = 120 };
    std::vector<std::unique_ptr<Fiber>> all;
    std::mutex mutex;
    std::condition_variable changed;
    int turn = 0;

    for (int n = 0; n < FIBERS; n++)
        all.push_back(new_fiber<ctx::fixedsize_stack>(n % 3));
    auto take_turns = [&](int which) {
        std::unique_lock lock(mutex);
        unsigned thread_state = 77 * which + state;

        while (turn < TURNS) {
            if (turn % 2 == which) {
                state = thread_state;
                resume(all[below(FIBERS)].get());
                work();
                thread_state = state;
                turn++;
                changed.notify_one();
            } else {
                changed.wait(lock);
            }
        }
    };
    std::thread one(take_turns, 0), other(take_turns, 1);
    one.join();
    other.join();
}

/* Coroutines of C++20, which gcc 12 cannot build with -finstrument-functions. */
#ifdef DORMANT
#include <coroutine>

struct Steps {
    struct promise_type {
        int value = 0;
        std::exception_ptr thrown;
        Steps get_return_object() { return { std::coroutine_handle<promise_type>::from_promise(*this) }; }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(int next) { value = next; return {}; }
        void return_void() {}
        void unhandled_exception() { throw; }
    };
    std::coroutine_handle<promise_type> handle;
};
static Own *of_step;
/* No name of C's, which gcc 12 would give to all parts of it. */
__attribute__((noinline)) static Steps stepped(int steps)
{
    for (int n = 0; n < steps; n++) {
        ENTERED(of_step);
        MEASURED(leaf);
        if (below(40) == 0)
            throw n;
        LEAVES;
        co_yield n;
    }
    ENTERED(of_step);
    LEAVES;
}
TIMED int drives(Own *own, Steps *steps)
{
    ENTERED(own);
    Own *volatile step = of_step = own_call("stepped");
    try {
        steps->handle.resume();
    } catch (int) {
        step->outer = -(now() - step->begun);
        throw;
    }
    step->outer = now() - step->begun;
    LEAVES;
    return 1;
}
/* One that others wait for: the end of each goes on with who waits for it, by a jump. */
struct Task {
    struct promise_type {
        std::coroutine_handle<> waits = std::noop_coroutine();
        int value = 0;
        Task get_return_object() { return { std::coroutine_handle<promise_type>::from_promise(*this) }; }
        std::suspend_always initial_suspend() noexcept { return {}; }
        struct Last {
            bool await_ready() noexcept { return false; }
            std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> self) noexcept { return self.promise().waits; }
            void await_resume() noexcept {}
        };
        Last final_suspend() noexcept { return {}; }
        void return_value(int result) { value = result; }
        void unhandled_exception() { std::abort(); }
    };
    std::coroutine_handle<promise_type> handle;
    ~Task() { handle.destroy(); }
    bool await_ready() { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> who) { handle.promise().waits = who; return handle; }
    int await_resume() { return handle.promise().value; }
};
static Task tree(int depth)
{
    int sum = MEASURED(leaf);
    if (depth > 0)
        sum += co_await tree(depth - 1) + co_await tree(depth - 1);
    co_return sum;
}
TIMED int awaits(Own *own, int depth)
{
    ENTERED(own);
    Task task = tree(depth);
    task.handle.resume();
    int sum = task.handle.promise().value;
    LEAVES;
    return sum;
}
static void coroutines()
{
    Steps all[16];

    for (Steps &steps : all)
        steps = { nullptr };
    for (int n = 0; n < 400; n++) {
        Steps &steps = all[below(16)];
        if (!steps.handle || steps.handle.done() || below(20) == 0) {
            if (steps.handle) {
                Own *own = own_call("stepped");
                steps.handle.destroy();
                own->outer = now() - own->begun;
            }
            Own *own = own_call("stepped");
            steps = stepped(below(20));
            own->outer = now() - own->begun;
        }
        try {
            MEASURED_OR_THROWN(drives, &steps);
        } catch (int) {
        }
    }
    for (int depth = 0; depth < 6; depth++)
        MEASURED(awaits, depth);
}
#else
static void coroutines() { std::exit(2); }
#endif

int main(int count, char **words)
{
    const struct { const char *name; void (*run)(); } all[] = {
        { "exceptions", exceptions }, { "longjmp", longjmps }, { "handlers", handlers }, { "alarms", alarms },
        { "cancel", cancelled }, { "fork", forked }, { "vfork", vforked }, { "coroutines", coroutines },
        { "boost", fibers<ctx::fixedsize_stack> }, { "boost-mapped", fibers<ctx::protected_fixedsize_stack> },
        { "boost-threads", migrating },
    };

    if (count != 4)
        return 2;
    state = std::atoi(words[2]);
    own_begin(words[3]);
    for (const auto &it : all)
        if (std::strcmp(it.name, words[1]) == 0) {
            it.run();
            std::puts("done");
            return 0;
        }
    return 2;
}
