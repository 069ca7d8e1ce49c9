! Fortran: the program, a module's procedures, one that a procedure contains, and a parallel region.
!
! /*# flags -O0 -fopenmp */
! /*# arc main -> MAIN__ 1 */
! /*# arc MAIN__ -> __heat_mod_MOD_step 20 */
! /*# calls __heat_mod_MOD_norm 1960 */
module heat_mod
   implicit none
contains
   subroutine step(a, b)
      real(8), intent(in) :: a(:, :)
      real(8), intent(out) :: b(:, :)
      integer :: i, j
      b = a
      !$omp parallel do private(i)
      do j = 2, size(a, 2) - 1
         do i = 2, size(a, 1) - 1
            b(i, j) = 0.25d0*(a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
         end do
         b(1, j) = norm(a(1, j))
      end do
   end subroutine step

   real(8) function norm(x)
      real(8), intent(in) :: x
      norm = abs(x)
   end function norm
end module heat_mod

program heat
   use heat_mod
   implicit none
   real(8) :: a(100, 100), b(100, 100)
   integer :: k
   a = 1
   do k = 1, 10
      call step(a, b)
      call step(b, a)
   end do
   call finish(a(2, 2))
contains
   subroutine finish(x)
      real(8), intent(in) :: x
      if (x < 0) stop 1
   end subroutine finish
end program heat
