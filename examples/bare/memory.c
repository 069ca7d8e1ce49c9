/* gmon.out stays in memory, where a debugger finds it:
 *
 *   (gdb) dump binary memory gmon.out gmon_out gmon_out_end
 */
#include "board.h"

#ifndef ROOM
#define ROOM (8 * 1024)
#endif

char gmon_out[ROOM];
char *gmon_out_end;

void sink_open(void)
{
    gmon_out_end = gmon_out;
}

int sink_write(const void *bytes, size_t count)
{
    const char *byte = bytes;
    if (count > (size_t)(gmon_out + sizeof gmon_out - gmon_out_end))
        return -1;
    while (count--)
        *gmon_out_end++ = *byte++;
    return 0;
}

void sink_close(void)
{
}
