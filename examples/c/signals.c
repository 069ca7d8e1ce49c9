/* Signal handlers: called by the kernel, they return to the C library, so their caller is outside
   the program. Alarms interrupt the counted functions, and the hooks in them, anywhere. */
/*# arc <outside> -> on_user_signal 1000 */
/*# arc on_user_signal -> work 2000 */
/*# arc <outside> -> on_alarm ? */
/*# arc on_alarm -> work ? */
/*# arc main -> work ? */
/*# arc on_alarm -> rare ? */
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include "counted.h"

#define ALARMS 2000

static volatile sig_atomic_t alarms;

COUNTED void work(void)
{
    BARRIER();
}

COUNTED void rare(void)
{
    BARRIER();
}

COUNTED void on_user_signal(int signal)
{
    (void)signal;
    work();
    work();
    BARRIER();
}

COUNTED void on_alarm(int signal)
{
    (void)signal;
    alarms = alarms + 1;
    work();
    if (alarms % 100 == 0)
        rare();
    BARRIER();
}

int main(void)
{
    struct sigaction action = {.sa_handler = on_user_signal, .sa_flags = SA_RESTART};
    struct itimerval every = {{0, 100}, {0, 100}}, never = {{0, 0}, {0, 0}};
    unsigned long calls = 0;
    int i;

    sigaction(SIGUSR1, &action, 0);
    for (i = 0; i < 1000; i++)
        raise(SIGUSR1);

    action.sa_handler = on_alarm;
    sigaction(SIGALRM, &action, 0);
    setitimer(ITIMER_REAL, &every, 0);
    while (alarms < ALARMS) {
        work();
        calls++;
    }
    setitimer(ITIMER_REAL, &never, 0);
    signal(SIGALRM, SIG_IGN);

    printf("main -> work %lu\n", calls);
    printf("<outside> -> on_alarm %d\n", (int)alarms);
    printf("on_alarm -> work %d\n", (int)alarms);
    printf("on_alarm -> rare %d\n", (int)alarms / 100);
    return 0;
}
