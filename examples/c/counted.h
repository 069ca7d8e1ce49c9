/* What an example needs so that "how often was it called" has exactly one answer. */
#ifndef COUNTED_H
#define COUNTED_H

/* A function that stays one function: never inlined, cloned or merged with its twin. */
#ifdef __clang__
#define COUNTED __attribute__((noinline))
#else
#define COUNTED __attribute__((noipa))
#endif

/* Something the compiler cannot see through: a call before it cannot become a jump, and a
   function that contains it cannot be computed once for several calls. */
#define BARRIER() __asm__ volatile("" ::: "memory")

#endif
