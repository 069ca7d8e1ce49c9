/* Threads that do not return: half of them leave from inside of calls, the others are cancelled at
   whatever instruction they are. What a cancelled thread was at when it ended may be counted or not.
   Prints what those have noted before and after each call: `before CALLS`, `after CALLS`. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include "places.h"

#define THREADS 60
#define ALIVE 3

/* What a cancelled thread has noted. */
struct notes {
    volatile unsigned long before, after;
};

COUNTED void cleanup(void *unused)
{
    (void)unused;
    BARRIER();
}

COUNTED void leave(void)
{
    pthread_exit(0);
}

COUNTED void call_one_that_leaves(void)
{
    leave();
    BARRIER();
}

COUNTED void *leaver(void *unused)
{
    (void)unused;
    pthread_cleanup_push(cleanup, 0);
    call_one_that_leaves();
    pthread_cleanup_pop(0);
    return 0;
}

COUNTED void *cancelled(void *argument)
{
    struct notes *notes = argument;

    pthread_cleanup_push(cleanup, 0);
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
    for (;;) {
        notes->before++;
        from_place(notes->before);
        notes->after++;
    }
    pthread_cleanup_pop(0);
    return 0;
}

int main(void)
{
    unsigned long before = 0, after = 0;
    int i, j;

    for (i = 0; i < THREADS / ALIVE; i++) {
        static struct notes notes[ALIVE];
        pthread_t leavers[ALIVE], others[ALIVE];
        void *result;

        for (j = 0; j < ALIVE; j++) {
            notes[j].before = notes[j].after = 0;
            if (pthread_create(&others[j], 0, cancelled, &notes[j]) != 0 ||
                pthread_create(&leavers[j], 0, leaver, 0) != 0)
                return 1;
        }
        for (j = 0; j < ALIVE; j++) {
            /* Some among their first calls, some when they have made many. */
            while (notes[j].before < (unsigned long)(i * 100))
                sched_yield();
            if (pthread_cancel(others[j]) != 0 || pthread_join(others[j], &result) != 0 ||
                result != PTHREAD_CANCELED)
                return 2;
            if (pthread_join(leavers[j], &result) != 0 || result != 0)
                return 3;
            before += notes[j].before;
            after += notes[j].after;
        }
    }
    printf("before %lu\nafter %lu\n", before, after);
    return 0;
}
