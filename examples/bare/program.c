/* A program for the board: frames are filtered and sent with a checksum, while a timer ticks. */
#include <gmon.h>
#include <stdint.h>

#include "board.h"

#define FRAMES 3000
#define SAMPLES 64

static uint32_t samples[SAMPLES];
static unsigned long ticks;
static volatile uint32_t sent;

/* Called in the timer's interrupt handler, whatever runs then. */
void timer_tick(void)
{
    ticks++;
}

__attribute__((noinline)) static uint32_t checksum(uint32_t sum, uint32_t word)
{
    for (int bit = 0; bit < 32; bit++)
        sum = (sum >> 1) ^ ((sum ^ (word >> bit)) & 1 ? 0xedb88320 : 0);
    return sum;
}

__attribute__((noinline)) static uint32_t smooth(uint32_t before, uint32_t sample)
{
    return before - before / 4 + sample / 4;
}

__attribute__((noinline)) static void filter(void)
{
    for (int i = 1; i < SAMPLES; i++)
        samples[i] = smooth(samples[i - 1], samples[i] + i);
}

__attribute__((noinline)) static void send_frame(void)
{
    uint32_t sum = 0;
    for (int i = 0; i < SAMPLES; i++)
        sum = checksum(sum, samples[i]);
    sent = sum;
}

int main(void)
{
    GMON_START();
    start_timer(gmon_board.ticks_per_second);
    for (int frame = 0; frame < FRAMES; frame++) {
        filter();
        send_frame();
    }
    stop_timer();
    GMON_STOP();

    print("ticks: ");
    print_number(ticks);
    print("\n");
    sink_open();
    int result = GMON_SNAPSHOT();
    sink_close();
    print(result == 0 ? "gmon.out is written\n" : "gmon.out is not written\n");
    return 0;
}
