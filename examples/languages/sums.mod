(* Modula-2: procedures of a program module.

   /*# flags -O0 */
   /*# arc Total -> Square 100 */
   /*# calls Total 3 */ *)
MODULE sums;

FROM SYSTEM IMPORT ADDRESS;

VAR
   i, sum: CARDINAL;

PROCEDURE Square (n: CARDINAL): CARDINAL;
BEGIN
   RETURN n * n
END Square;

PROCEDURE Total (n: CARDINAL): CARDINAL;
VAR
   i, sum: CARDINAL;
BEGIN
   sum := 0;
   FOR i := 1 TO n DO
      sum := sum + Square (i)
   END;
   RETURN sum
END Total;

BEGIN
   sum := Total (10) + Total (30) + Total (60);
   IF sum # 83650 THEN HALT END
END sums.
