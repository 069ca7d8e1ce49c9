! Marks and phases of Fortran programs for the gmon profiler. Compile it with gmon_fortran.c, which lies beside it:
!
!     gfortran -c gmon.f90 && gcc -c gmon_fortran.c
!
! A program that uses it runs without the profiler, too: then the subroutines do nothing. Names have up to 63 bytes,
! without blanks at their end.
module gmon
  use, intrinsic :: iso_c_binding, only: c_char, c_null_char
  implicit none
  private
  public :: gmon_mark, gmon_begin, gmon_end

  interface
    subroutine c_mark(name) bind(c, name="gmon_fortran_mark")
      import :: c_char
      character(kind=c_char), intent(in) :: name(*)
    end subroutine

    subroutine c_begin(name) bind(c, name="gmon_fortran_begin")
      import :: c_char
      character(kind=c_char), intent(in) :: name(*)
    end subroutine

    ! Ends the phase of the calling thread that began last.
    subroutine gmon_end() bind(c, name="gmon_fortran_end")
    end subroutine
  end interface

contains

  ! Says that something happens now, by a name, as "step 17".
  subroutine gmon_mark(name)
    character(*), intent(in) :: name

    call c_mark(trim(name) // c_null_char)
  end subroutine

  ! Begins a phase of the calling thread. Phases may lie in each other, 32 deep.
  subroutine gmon_begin(name)
    character(*), intent(in) :: name

    call c_begin(trim(name) // c_null_char)
  end subroutine

end module
