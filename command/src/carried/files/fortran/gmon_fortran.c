/* What the module of gmon.f90 calls. Fortran has no weak functions, so it is C that looks whether the runtime is there. */
#include "gmon.h"

void gmon_fortran_mark(const char *name)
{
    GMON_MARK(name);
}

void gmon_fortran_begin(const char *name)
{
    GMON_BEGIN(name);
}

void gmon_fortran_end(void)
{
    GMON_END();
}
