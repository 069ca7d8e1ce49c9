/* A hundred threads of 6 ms each: less than a period of 100 Hz. */
#include <pthread.h>

#include "cpu_time.h"

static void *briefly(void *argument) {
    use_until(0.006);
    return argument;
}

int main(void) {
    for (int i = 0; i < 50; i++) {
        pthread_t pair[2];
        for (int k = 0; k < 2; k++) pthread_create(&pair[k], NULL, briefly, NULL);
        for (int k = 0; k < 2; k++) pthread_join(pair[k], NULL);
    }
    tell("briefly", seconds_of(CLOCK_PROCESS_CPUTIME_ID));
}
