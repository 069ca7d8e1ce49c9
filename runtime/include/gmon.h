/* gmon.h - control of the gmon profiling runtime from inside a program.
 *
 * The functions are weak: a program that uses them links and runs without the runtime too. Then
 * their addresses are null, which the GMON_* macros check before each call.
 */
#ifndef GMON_H
#define GMON_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Starts the profile, goes on after gmon_stop, or starts another one after _mcleanup. */
extern void gmon_start(void) __attribute__((weak));

/* Stops counting and sampling until gmon_start. Keeps what was counted. */
extern void gmon_stop(void) __attribute__((weak));

/* Writes the profile as it is now, whole, and goes on. Returns 0, or -1 if nothing was written.
 * May be called from a signal handler. */
extern int gmon_snapshot(void) __attribute__((weak));

/* Sets all counts to zero. Counts that other threads add at the same moment may stay. */
extern void gmon_reset(void) __attribute__((weak));

/* Says that something happens now, by a name, as "frame 17". A profile shows it over time. Of a name
 * there are as many as 63 bytes. */
extern void gmon_mark(const char *name) __attribute__((weak));

/* Begins a phase of the calling thread, and ends the one that began last. Phases may lie in each
 * other, 32 deep. `gmon report --phase NAME` shows what the program did in the phases of a name. */
extern void gmon_begin(const char *name) __attribute__((weak));
extern void gmon_end(void) __attribute__((weak));

/* The classic interface, as in glibc and the BSDs. */
extern void moncontrol(int mode) __attribute__((weak));
extern void monstartup(unsigned long low_pc, unsigned long high_pc) __attribute__((weak));
extern void _mcleanup(void) __attribute__((weak));

/* On bare metal: what the runtime has to know of the board, and what the board does for it. The program
 * defines it: docs/bare-metal.md. */
struct gmon_board {
    /* RAM that nobody else uses, from its first byte to behind its last. */
    void *memory, *memory_end;
    /* The code to be profiled, likewise. */
    const void *text, *text_end;
    /* How often gmon_tick is called. */
    unsigned ticks_per_second;
    /* Takes the next bytes of gmon.out; returns 0, or another number if it could not. */
    int (*write)(const void *bytes, size_t count);
    /* Shows a part of a line to the user; may be null. */
    void (*say)(const char *text, size_t length);
};
extern const struct gmon_board gmon_board;

/* On bare metal: counts one tick of the timer, which interrupted the code at pc. */
extern void gmon_tick(unsigned long pc) __attribute__((weak));

/* Calls of these functions that do nothing in a program without the runtime. */
#define GMON_START() ((void)(gmon_start ? (gmon_start(), 0) : 0))
#define GMON_STOP() ((void)(gmon_stop ? (gmon_stop(), 0) : 0))
#define GMON_SNAPSHOT() (gmon_snapshot ? gmon_snapshot() : -1)
#define GMON_RESET() ((void)(gmon_reset ? (gmon_reset(), 0) : 0))
#define GMON_MARK(name) ((void)(gmon_mark ? (gmon_mark(name), 0) : 0))
#define GMON_BEGIN(name) ((void)(gmon_begin ? (gmon_begin(name), 0) : 0))
#define GMON_END() ((void)(gmon_end ? (gmon_end(), 0) : 0))
#define GMON_TICK(pc) ((void)(gmon_tick ? (gmon_tick(pc), 0) : 0))

#ifdef __cplusplus
}
#endif

#endif
