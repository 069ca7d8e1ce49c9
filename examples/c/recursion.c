/* Recursion: a function that calls itself shows "outside calls + own calls" in the call graph and
   only the outside calls in the flat profile; functions that call each other form a cycle. */
/*# arc main -> fibonacci 1 */
/*# arc fibonacci -> fibonacci 21890 */
/*# arc main -> descend 3 */
/*# arc descend -> descend 3000 */
/*# arc descend -> bottom 3 */
/*# arc main -> is_even 1/1 */
/*# arc is_even -> is_odd 51 */
/*# arc is_odd -> is_even 50 */
/*# cycle is_even is_odd 1+101 */
#include "counted.h"

COUNTED int fibonacci(int n)
{
    int sum;

    if (n < 2)
        return n;
    sum = fibonacci(n - 1);
    BARRIER();
    sum += fibonacci(n - 2);
    BARRIER();
    return sum;
}

COUNTED void bottom(void)
{
    BARRIER();
}

COUNTED void descend(int levels)
{
    if (levels == 0)
        bottom();
    else
        descend(levels - 1);
    BARRIER();
}

COUNTED int is_odd(int n);

COUNTED int is_even(int n)
{
    int answer = n == 0 ? 1 : is_odd(n - 1);

    BARRIER();
    return answer;
}

COUNTED int is_odd(int n)
{
    int answer = n == 0 ? 0 : is_even(n - 1);

    BARRIER();
    return answer;
}

int main(void)
{
    int i;

    if (fibonacci(20) != 6765)
        return 1;
    for (i = 0; i < 3; i++)
        descend(1000);
    i = is_even(101);
    BARRIER();
    return i;
}
