/* Two threads use CPU time before and after the process gives up what exact clocks are made with: its user's rights
 * ("user", "effective"), or descriptors ("files"). */
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define TURNS 3000000
#include "cpu_time.h"

enum { NOBODY = 65534 };

static pthread_barrier_t given_up;
static struct rlimit files;
static double used[4];

#define PHASE(name, seconds)                                        \
    __attribute__((noinline)) static double name(void) {            \
        double start = seconds_of(CLOCK_THREAD_CPUTIME_ID);         \
        use(seconds);                                               \
        return seconds_of(CLOCK_THREAD_CPUTIME_ID) - start;         \
    }

PHASE(before, 0.3)
PHASE(after, 0.6)
PHASE(before_in_thread, 0.35)
PHASE(after_in_thread, 0.65)

static int give_up(const char *what) {
    if (!strcmp(what, "user")) return setgid(NOBODY) || setuid(NOBODY);
    if (!strcmp(what, "effective")) return seteuid(NOBODY);
    struct rlimit none = {0, files.rlim_max};
    return setrlimit(RLIMIT_NOFILE, &none);
}

/* Takes back what can be taken back: the profile is to be written where it would be. */
static int take_back(void) {
    return setrlimit(RLIMIT_NOFILE, &files) || (!getuid() && seteuid(0));
}

static void *thread(void *argument) {
    used[2] = before_in_thread();
    pthread_barrier_wait(&given_up);
    pthread_barrier_wait(&given_up);
    used[3] = after_in_thread();
    return argument;
}

int main(int argc, char **argv) {
    pthread_t other;
    pthread_barrier_init(&given_up, NULL, 2);
    pthread_create(&other, NULL, thread, NULL);
    used[0] = before();
    pthread_barrier_wait(&given_up);
    if (argc < 2 || getrlimit(RLIMIT_NOFILE, &files) || give_up(argv[1])) return 1;
    pthread_barrier_wait(&given_up);
    used[1] = after();
    pthread_join(other, NULL);
    const char *const names[] = {"before", "after", "before_in_thread", "after_in_thread"};
    for (int i = 0; i < 4; i++) tell(names[i], used[i]);
    return take_back();
}
