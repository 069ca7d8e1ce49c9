--  Ada: the main procedure, a package in it, and a procedure that recurses.
--
--  /*# flags -O0 */
--  /*# arc main -> _ada_towers 1 */
--  /*# calls towers__hanoi__move.0 1023 */
--  /*# arc _ada_towers -> towers__check.1 1 */
procedure Towers is
   Moves : Natural := 0;

   package Hanoi is
      procedure Move (Discs : Natural; From, To, Over : Character);
   end Hanoi;

   package body Hanoi is
      procedure Move (Discs : Natural; From, To, Over : Character) is
      begin
         if Discs > 1 then
            Move (Discs - 1, From, Over, To);
         end if;
         Moves := Moves + 1;
         if Discs > 1 then
            Move (Discs - 1, Over, To, From);
         end if;
      end Move;
   end Hanoi;

   procedure Check is
   begin
      if Moves /= 1023 then
         raise Program_Error;
      end if;
   end Check;
begin
   Hanoi.Move (10, 'A', 'C', 'B');
   Check;
end Towers;
