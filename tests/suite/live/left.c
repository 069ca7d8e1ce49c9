/* A timer's handler leaves what runs by a jump, again and again, and that is mostly a hook: each call of `leaves` ends by a jump,
   which the next one has to find out. `ends` is called in between. Prints "done". */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

#define TIMED __attribute__((noipa))
enum { ALARMS = 300 };

static sigjmp_buf all;
static jmp_buf one;
static volatile sig_atomic_t may_leave;

TIMED int ends(int n) { return n + 1; }
TIMED int leaves(int n)
{
    if (n)
        longjmp(one, 1);
    return n;
}

static void handle(int signal)
{
    if (may_leave && signal)
        siglongjmp(all, 1);
}

int main(void)
{
    struct itimerval every = { { 0, 100 }, { 0, 100 } };
    volatile int sum = 0;

    signal(SIGALRM, handle);
    setitimer(ITIMER_REAL, &every, 0);
    for (volatile int n = 0; n < ALARMS; n++) {
        if (sigsetjmp(all, 1) == 0) {
            may_leave = 1;
            for (;;)
                if (setjmp(one) == 0)
                    sum += leaves(1);
        }
        may_leave = 0;
        sum += ends(n);
    }
    puts("done");
    return 0;
}
