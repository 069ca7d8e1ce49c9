/* Works for some microseconds and asks the system something, again and again: asks MILLISECONDS. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile unsigned long sink;

__attribute__((noinline)) static void work(void) {
    unsigned long sum = 0;
    for (unsigned long i = 0; i < 20000; i++) {
        sum += i * i;
        __asm__ volatile("" : "+r"(sum));
    }
    sink += sum;
}

__attribute__((noinline)) static void ask(void) {
    struct timespec used;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    sink += used.tv_nsec;
}

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

int main(int argc, char **argv) {
    long end = now() + (argc > 1 ? atol(argv[1]) : 1000);
    while (now() < end) {
        work();
        ask();
    }
    puts("done");
}
